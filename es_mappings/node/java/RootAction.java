package sectionary.plugin;

import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.util.Version;
import org.elasticsearch.Build;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.ClusterState;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.xcontent.XContentBuilder;

/** Answers {@code GET /} with the fields of the official module rest-root, so that clients' {@code info()} works. */
final class RootAction extends BaseRestHandler {
  private final Supplier<ClusterState> state;

  RootAction(Supplier<ClusterState> state) {
    this.state = state;
  }

  @Override
  public String getName() {
    return "sectionary_root_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestRequest.Method.GET, "/"), new Route(RestRequest.Method.HEAD, "/"));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    return channel -> {
      ClusterState current = state.get();
      Build build = Build.current();
      XContentBuilder body = channel.newBuilder().startObject();
      body.field("name", current.nodes().getLocalNode().getName());
      body.field("cluster_name", current.getClusterName().value());
      body.field("cluster_uuid", current.metadata().clusterUUID());
      body.startObject("version");
      body.field("number", build.version());
      body.field("build_flavor", "default");
      body.field("build_type", "maven");
      body.field("build_hash", build.hash());
      body.field("build_date", build.date());
      body.field("build_snapshot", build.isSnapshot());
      body.field("lucene_version", Version.LATEST.toString());
      body.field("minimum_wire_compatibility_version", build.minWireCompatVersion());
      body.field("minimum_index_compatibility_version", build.minIndexCompatVersion());
      body.endObject();
      body.field("tagline", "You Know, for Search").endObject();
      channel.sendResponse(new RestResponse(RestStatus.OK, body));
    };
  }
}
