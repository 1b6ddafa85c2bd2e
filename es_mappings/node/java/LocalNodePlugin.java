package sectionary.plugin;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.path.PathHierarchyTokenizer;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.index.analysis.PreConfiguredTokenFilter;
import org.elasticsearch.index.analysis.PreConfiguredTokenizer;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.AnalysisPlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.RestHandler;

/**
 * What the mappings and the client need of the official modules analysis-common and rest-root, which Elastic does not publish as
 * jars: the same names, over Lucene's own classes, so an index behaves alike here and on an official Elasticsearch.
 */
public final class LocalNodePlugin extends Plugin implements AnalysisPlugin, ActionPlugin {
  private ClusterService cluster;

  @Override
  public Collection<?> createComponents(PluginServices services) {
    cluster = services.clusterService();
    return List.of();
  }

  @Override
  public Map<String, AnalysisProvider<TokenizerFactory>> getTokenizers() {
    return Map.of(
        "path_hierarchy",
        (index, environment, name, settings) ->
            TokenizerFactory.newFactory(name, () -> pathHierarchy(settings)));
  }

  private static Tokenizer pathHierarchy(Settings settings) {
    char delimiter = settings.get("delimiter", "/").charAt(0);
    char replacement = settings.get("replacement", String.valueOf(delimiter)).charAt(0);
    return new PathHierarchyTokenizer(
        settings.getAsInt("buffer_size", 1024), delimiter, replacement, settings.getAsInt("skip", 0));
  }

  @Override
  public List<PreConfiguredTokenizer> getPreConfiguredTokenizers() {
    return List.of(PreConfiguredTokenizer.singleton("keyword", KeywordTokenizer::new));
  }

  /** The boolean says whether the filter also applies to terms of wildcard and prefix queries, as in analysis-common. */
  @Override
  public List<PreConfiguredTokenFilter> getPreConfiguredTokenFilters() {
    return List.of(
        PreConfiguredTokenFilter.singleton("asciifolding", true, ASCIIFoldingFilter::new),
        PreConfiguredTokenFilter.singleton("cjk_bigram", false, CJKBigramFilter::new),
        PreConfiguredTokenFilter.singleton("cjk_width", true, CJKWidthFilter::new),
        PreConfiguredTokenFilter.singleton("porter_stem", false, PorterStemFilter::new));
  }

  @Override
  public Collection<RestHandler> getRestHandlers(
      RestHandlersServices services, Supplier<DiscoveryNodes> nodes, Predicate<NodeFeature> features) {
    return List.of(new RootAction(() -> cluster.state()));
  }
}
