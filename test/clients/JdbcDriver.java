import com.microsoft.sqlserver.jdbc.SQLServerDataSource;
import com.microsoft.sqlserver.jdbc.SQLServerException;
import com.microsoft.sqlserver.jdbc.SQLServerWarning;
import com.microsoft.sqlserver.jdbc.SQLServerError;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Drives Microsoft's JDBC driver for test/clients/clients.test.ts. A request is one line: id, operation, connection and arguments, separated by tabs and
 * percent-encoded; an answer is JSON behind a Content-Length header.
 */
public class JdbcDriver {
    static final Map<String, Connection> connections = new ConcurrentHashMap<>();

    /** What a batch was answered with, as JSON in pieces. */
    static class Answer {
        final List<String> sets = new ArrayList<>();
        final List<String> infos = new ArrayList<>();
        final List<String> errors = new ArrayList<>();

        String json() {
            return "{\"sets\":" + list(sets) + ",\"infos\":" + list(infos) + ",\"errors\":" + list(errors) + "}";
        }
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = Arrays.stream(line.split("\t", -1)).map(JdbcDriver::decode).toArray(String[]::new);
            Thread thread = new Thread(() -> serve(parts[0], parts[1], Arrays.copyOfRange(parts, 2, parts.length)));
            thread.setDaemon(true);
            thread.start();
        }
        System.exit(0);
    }

    static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    static void serve(String id, String operation, String[] arguments) {
        String reply;
        try {
            reply = "\"result\":" + run(operation, arguments).json();
        } catch (SQLException error) {
            List<String> errors = new ArrayList<>();
            if (error instanceof SQLServerException && ((SQLServerException) error).getSQLServerError() != null) errors.add(message(error));
            reply = "\"error\":{\"message\":" + quote(error.getMessage()) + ",\"errors\":" + list(errors) + "}";
        } catch (Throwable error) {
            reply = "\"error\":{\"message\":" + quote(error.toString()) + "}";
        }
        synchronized (System.out) {
            byte[] bytes = ("{\"id\":" + id + "," + reply + "}").getBytes(StandardCharsets.UTF_8);
            System.out.print("Content-Length: " + bytes.length + "\r\n\r\n");
            System.out.write(bytes, 0, bytes.length);
            System.out.flush();
        }
    }

    static Answer run(String operation, String[] a) throws Exception {
        switch (operation) {
            case "connect": return connect(a[0], Integer.parseInt(a[1]), a[2], a[3], a[4], a[5]);
            case "batch": return batch(a[0], a[1], 0, 0);
            case "cancel": return batch(a[0], a[1], Integer.parseInt(a[2]), 0);
            case "limited": return batch(a[0], a[1], 0, Integer.parseInt(a[2]));
            case "close": connections.remove(a[0]).close(); return new Answer();
            default: throw new IllegalArgumentException(operation);
        }
    }

    static Answer connect(String key, int port, String user, String password, String encryption, String certificate) throws Exception {
        SQLServerDataSource source = new SQLServerDataSource();
        source.setServerName("localhost");
        source.setPortNumber(port);
        source.setUser(user);
        source.setPassword(password);
        source.setEncrypt(encryption.equals("none") ? "false" : "true");
        source.setTrustServerCertificate(encryption.equals("trusting"));
        if (encryption.equals("verified")) trustOnly(source, certificate);
        source.setLoginTimeout(15);
        connections.put(key, source.getConnection());
        return new Answer();
    }

    /** The driver takes its authorities from a key store: one that holds nothing else. */
    static void trustOnly(SQLServerDataSource source, String certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(Path.of(certificate))) {
            store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        try (OutputStream file = Files.newOutputStream(Path.of(certificate + ".p12"))) {
            store.store(file, "password".toCharArray());
        }
        source.setTrustStore(certificate + ".p12");
        source.setTrustStorePassword("password");
        source.setTrustStoreType("PKCS12");
    }

    static Answer batch(String key, String sql, int cancelAfterMs, int seconds) throws SQLException {
        Answer answer = new Answer();
        try (Statement statement = connections.get(key).createStatement()) {
            if (seconds > 0) statement.setQueryTimeout(seconds);
            if (cancelAfterMs > 0) cancelLater(statement, cancelAfterMs);
            readAll(answer, statement, () -> statement.execute(sql));
        }
        return answer;
    }

    static void cancelLater(Statement statement, int afterMs) {
        new Timer(true).schedule(new TimerTask() {
            @Override public void run() {
                try {
                    statement.cancel();
                } catch (SQLException error) {
                    System.err.println(error);
                }
            }
        }, afterMs);
    }

    interface Step {
        boolean run() throws SQLException;
    }

    /** Reads every result; an error ends its own result only. */
    static void readAll(Answer answer, Statement statement, Step first) throws SQLException {
        Step step = first;
        for (int results = 0; results < 10_000; results++) {
            boolean failed = false;
            boolean isSet = false;
            try {
                isSet = step.run();
            } catch (SQLException error) {
                addErrors(answer, error);
                failed = true;
            }
            readWarnings(answer, statement);
            if (statement.isClosed()) return;
            if (isSet) readSet(answer, statement);
            else if (!failed && statement.getUpdateCount() == -1) return;
            step = () -> statement.getMoreResults();
        }
    }

    static void addErrors(Answer answer, SQLException error) {
        for (SQLException each = error; each != null; each = each.getNextException()) answer.errors.add(message(each));
    }

    static void readWarnings(Answer answer, Statement statement) throws SQLException {
        for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) answer.infos.add(message(warning));
        statement.clearWarnings();
    }

    static void readSet(Answer answer, Statement statement) throws SQLException {
        List<String> columns = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        try (ResultSet set = statement.getResultSet()) {
            ResultSetMetaData meta = set.getMetaData();
            for (int at = 1; at <= meta.getColumnCount(); at++) columns.add(quote(meta.getColumnName(at)));
            while (set.next()) {
                List<String> cells = new ArrayList<>();
                for (int at = 1; at <= columns.size(); at++) cells.add(quote(cell(set, meta, at)));
                rows.add(list(cells));
            }
        } catch (SQLException error) {
            addErrors(answer, error);
        }
        readWarnings(answer, statement);
        answer.sets.add("{\"columns\":" + list(columns) + ",\"rows\":" + list(rows) + "}");
    }

    /** A value as text, as test/clients/client.ts says. */
    static String cell(ResultSet set, ResultSetMetaData meta, int at) throws SQLException {
        Object value = set.getObject(at);
        if (value == null) return null;
        if (value instanceof Boolean) return (Boolean) value ? "1" : "0";
        if (value instanceof byte[]) return HexFormat.of().formatHex((byte[]) value);
        if (value instanceof BigDecimal) return ((BigDecimal) value).toPlainString();
        if (value instanceof java.sql.Timestamp) return ((java.sql.Timestamp) value).toLocalDateTime().toString();
        if (value instanceof microsoft.sql.DateTimeOffset) return ((microsoft.sql.DateTimeOffset) value).getOffsetDateTime().toString();
        return value.toString();
    }

    static String message(Throwable told) {
        SQLServerError error = null;
        if (told instanceof SQLServerException) error = ((SQLServerException) told).getSQLServerError();
        if (told instanceof SQLServerWarning) error = ((SQLServerWarning) told).getSQLServerError();
        if (error == null) return "{\"number\":null,\"state\":null,\"severity\":null,\"line\":null,\"text\":" + quote(told.getMessage()) + "}";
        return "{\"number\":" + error.getErrorNumber() + ",\"state\":" + error.getErrorState() + ",\"severity\":" + error.getErrorSeverity()
            + ",\"line\":" + error.getLineNumber() + ",\"text\":" + quote(error.getErrorMessage()) + "}";
    }

    static String list(List<String> items) {
        return "[" + String.join(",", items) + "]";
    }

    static String quote(String text) {
        if (text == null) return "null";
        StringBuilder json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') json.append('\\').append(c);
            else if (c < ' ' || Character.isSurrogate(c)) json.append(String.format("\\u%04x", (int) c));
            else json.append(c);
        }
        return json.append('"').toString();
    }
}
