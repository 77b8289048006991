// Reads the mirror through JDBC's own catalogue functions, with the address in READER_URL; prints a line for each fact.
import java.math.BigDecimal;
import java.sql.*;
import java.util.*;

class JdbcReader {
  public static void main(String[] args) throws SQLException {
    try (Connection connection = DriverManager.getConnection(System.getenv("READER_URL"))) {
      DatabaseMetaData catalogue = connection.getMetaData();
      Set<String> columns = new TreeSet<>();
      for (String schema : List.of("custody", "reporting"))
        try (ResultSet found = catalogue.getColumns(null, schema, "%", "%")) {
          while (found.next()) {
            int type = found.getInt("DATA_TYPE");
            boolean odd = type == Types.OTHER && !found.getString("TYPE_NAME").matches("jsonb|interval");
            if (odd) System.out.println("odd " + found.getString("TABLE_NAME") + "." + found.getString("COLUMN_NAME"));
            columns.add(schema + "." + found.getString("TABLE_NAME"));
          }
        }
      System.out.println("relations " + columns.size());
      try (ResultSet keys = catalogue.getPrimaryKeys(null, "custody", "transactions")) {
        while (keys.next()) System.out.println("key " + keys.getString("COLUMN_NAME"));
      }
      try (ResultSet keys = catalogue.getImportedKeys(null, "custody", "balances")) {
        while (keys.next()) System.out.println("refers " + keys.getString("PKTABLE_NAME"));
      }
      int exact = 0;
      BigDecimal longest = BigDecimal.ZERO;
      try (ResultSet rows = connection.createStatement().executeQuery(
          "select amount, amount::text from custody.transactions where amount is not null")) {
        while (rows.next()) {
          BigDecimal amount = rows.getBigDecimal(1);
          if (amount.toPlainString().equals(rows.getString(2))) exact++;
          if (amount.precision() > longest.precision()) longest = amount;
        }
      }
      System.out.println("exact " + exact);
      System.out.println("longest " + longest.toPlainString());
    }
  }
}
