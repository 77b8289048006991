// Follows what the properties in the file of the first argument name, and prints each change as a line of JSON. A line is
// written before its place is kept, so that a kill repeats lines and loses none.
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.*;
import java.util.Properties;

class DebeziumReader {
  public static void main(String[] args) throws IOException {
    Properties settings = new Properties();
    try (Reader file = Files.newBufferedReader(Path.of(args[0]))) {
      settings.load(file);
    }
    DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class)
        .using(settings)
        .using((success, message, error) -> System.err.println("ended: " + message))
        .notifying(change -> {
          if (!change.destination().startsWith("__debezium-heartbeat")) System.out.println(change.value());
        })
        .build();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        engine.close();
      } catch (IOException | IllegalStateException failure) {
        // It has ended by itself, and said why.
      }
    }));
    engine.run();
  }
}
