package sectionary.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/**
 * Runs one Elasticsearch node: {@code LocalNode HOME key=value...}.
 *
 * <p>It builds {@link Node} itself instead of calling Elasticsearch's own bootstrap, which refuses to run as root and expects the
 * module path, security manager policies and keystore of the official distribution.
 */
public final class LocalNode {
  private static final int EXIT_START_FAILED = 1;

  private LocalNode() {}

  public static void main(String[] arguments) throws InterruptedException {
    try {
      Node node = open(arguments);
      closeOnExit(node);
      node.start();
    } catch (Exception | Error fault) {
      // Node threads are not daemons: without an explicit exit a failed start would hang.
      fault.printStackTrace();
      Runtime.getRuntime().halt(EXIT_START_FAILED);
    }
    new CountDownLatch(1).await();
  }

  private static Node open(String[] arguments) throws IOException, org.elasticsearch.cli.UserException {
    Path home = Path.of(arguments[0]);
    Settings.Builder settings = Settings.builder().put("path.home", home.toString());
    for (int i = 1; i < arguments.length; i++) {
      String[] pair = arguments[i].split("=", 2);
      settings.put(pair[0], pair[1]);
    }
    Environment environment = new Environment(settings.build(), home.resolve("config"));
    LogConfigurator.registerErrorListener();
    LogConfigurator.setNodeName(environment.settings().get("node.name"));
    LogConfigurator.setClusterName(environment.settings().get("cluster.name"));
    LogConfigurator.configure(environment, true);
    // The server is on the class path, so plugins are loaded without module layers (false) and without policies (the empty map).
    PluginsLoader plugins =
        PluginsLoader.createPluginsLoader(
            PluginsLoader.loadModulesBundles(environment.modulesDir(), false),
            PluginsLoader.loadPluginsBundles(environment.pluginsDir(), false),
            Map.of(),
            false);
    return new Node(environment, plugins);
  }

  private static void closeOnExit(Node node) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    node.prepareForClose();
                    node.close();
                  } catch (IOException fault) {
                    fault.printStackTrace();
                  }
                },
                "close-node"));
  }
}
