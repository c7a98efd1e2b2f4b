package dev.counterbalance.analysis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The SQL catalogue: every {@code .sql} file in the resource folder {@code sql} is one entry. Its
 * table macro takes {@code trace}, {@code since} and {@code until}; a view of the same name shows
 * everything.
 */
public final class Catalogue {
  private static final String FOLDER = "sql";
  private static final String SUFFIX = ".sql";
  private static final Pattern WORD = Pattern.compile("\\w+");
  private static final Pattern CALL = Pattern.compile("\\b([a-z_]+)\\(");

  private final Map<String, CatalogueEntry> entries;

  private Catalogue(Map<String, CatalogueEntry> entries) {
    this.entries = entries;
  }

  /** Reads the catalogue that is part of this program. */
  public static Catalogue load() {
    URL folder = Catalogue.class.getResource(FOLDER);
    if (folder == null) {
      throw new IllegalStateException("the SQL catalogue is missing from the program");
    }
    try {
      if (folder.getProtocol().equals("jar")) {
        JarURLConnection entry = (JarURLConnection) folder.openConnection();
        // By path: a file system by URI is one for the whole process, and another thread may use
        // it.
        try (FileSystem jar = FileSystems.newFileSystem(Path.of(entry.getJarFileURL().toURI()))) {
          return read(jar.getPath(entry.getEntryName()));
        }
      }
      return read(Path.of(folder.toURI()));
    } catch (IOException e) {
      throw new UncheckedIOException("the SQL catalogue cannot be read", e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the SQL catalogue cannot be found: " + folder, e);
    }
  }

  private static Catalogue read(Path folder) throws IOException {
    Map<String, CatalogueEntry> entries = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String fileName = String.valueOf(file.getFileName());
        if (fileName.endsWith(SUFFIX)) {
          String name = fileName.substring(0, fileName.length() - SUFFIX.length());
          entries.put(name, EntryParser.parse(name, Files.readString(file)));
        }
      }
    }
    return new Catalogue(entries);
  }

  /** Entries and those that they call, such that each comes after those. */
  private List<CatalogueEntry> ordered(Collection<CatalogueEntry> wanted) {
    Set<CatalogueEntry> ordered = new LinkedHashSet<>();
    for (CatalogueEntry entry : wanted) {
      addAfterCalled(entry, ordered, new HashSet<>());
    }
    return List.copyOf(ordered);
  }

  private void addAfterCalled(
      CatalogueEntry entry, Set<CatalogueEntry> ordered, Set<String> callers) {
    if (ordered.contains(entry)) {
      return;
    }
    if (!callers.add(entry.name())) {
      throw new IllegalStateException("catalogue entries call each other: " + callers);
    }
    Matcher call = CALL.matcher(entry.body());
    while (call.find()) {
      CatalogueEntry called = entries.get(call.group(1));
      if (called != null) {
        addAfterCalled(called, ordered, callers);
      }
    }
    callers.remove(entry.name());
    ordered.add(entry);
  }

  /** The entries that users see, by name. */
  public List<CatalogueEntry> list() {
    return entries.values().stream().filter(e -> !e.isHelper()).toList();
  }

  /** Every entry, also the helpers, by name. */
  List<CatalogueEntry> all() {
    return List.copyOf(entries.values());
  }

  /** One entry, if there is one of that name. */
  public Optional<CatalogueEntry> describe(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /** Stores the catalogue in the open database, over an older version of it. */
  public void install(Connection connection) throws SQLException {
    create(connection, ordered(entries.values()), false);
  }

  /**
   * Makes the catalogue known to this connection only, in front of what the database has stored.
   * Works on a database that is open read-only.
   */
  public void shadow(Connection connection) throws SQLException {
    create(connection, ordered(entries.values()), true);
  }

  /** As {@link #shadow(Connection)}, but only what a query names and what that builds on. */
  public void shadow(Connection connection, String query) throws SQLException {
    List<CatalogueEntry> named = new ArrayList<>();
    Matcher word = WORD.matcher(query.toLowerCase(Locale.ROOT));
    while (word.find()) {
      CatalogueEntry entry = entries.get(word.group());
      if (entry != null) {
        named.add(entry);
      }
    }
    create(connection, ordered(named), true);
  }

  private static void create(Connection connection, List<CatalogueEntry> ordered, boolean temporary)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (CatalogueEntry entry : ordered) {
        statement.execute(entry.createMacro(temporary));
        if (entry.hasView()) {
          statement.execute(entry.createView(temporary));
        }
      }
    }
  }

  /**
   * Tells whether a trace has what an entry needs. A trace that does not say which events it has,
   * as a simulated one, has all of them.
   *
   * @return what is missing; empty if the entry can be answered
   */
  public Optional<NotApplicable> check(Connection connection, String name, int traceId)
      throws SQLException {
    CatalogueEntry entry = entries.get(name);
    if (entry == null) {
      throw new IllegalArgumentException("no such catalogue entry: name=" + name);
    }
    if (!entry.whole().isEmpty()) {
      String filters = filters(connection, traceId);
      for (Whole need : entry.whole()) {
        if (need.isBrokenBy(filters)) {
          return Optional.of(new NotApplicable(name, List.of(), List.of(), "", need, filters));
        }
      }
    }
    List<String> present = events(connection, traceId);
    if (present.isEmpty()) {
      return Optional.empty();
    }
    return entry
        .unmet(present)
        .map(
            oneOf ->
                new NotApplicable(
                    name, oneOf, present, NotApplicable.closest(oneOf, present), null, null));
  }

  private static String filters(Connection connection, int traceId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT filters FROM _trace WHERE trace_id = ?")) {
      statement.setInt(1, traceId);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getString(1) : null;
      }
    }
  }

  private static List<String> events(Connection connection, int traceId) throws SQLException {
    TreeSet<String> events = new TreeSet<>();
    try (PreparedStatement statement =
        connection.prepareStatement(
            "SELECT value FROM _trace_fact WHERE trace_id = ? AND key = 'event'")) {
      statement.setInt(1, traceId);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          String event = rows.getString(1);
          if (event != null) {
            events.add(event.substring(event.indexOf(':') + 1));
          }
        }
      }
    }
    return new ArrayList<>(events);
  }
}
