package dev.counterbalance.analysis.query;

import dev.counterbalance.analysis.Catalogue;
import dev.counterbalance.analysis.CatalogueEntry;
import dev.counterbalance.analysis.NotApplicable;
import dev.counterbalance.trace.store.TraceStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The SQL catalogue on one connection. */
public final class Entries {
  private final Catalogue catalogue;
  private final Connection connection;

  private Entries(Catalogue catalogue, Connection connection) {
    this.catalogue = catalogue;
    this.connection = connection;
  }

  /** Stores this program's catalogue in the open store. */
  public static Entries install(TraceStore store) {
    Entries entries = new Entries(Catalogue.load(), store.connection());
    try {
      entries.catalogue.install(entries.connection);
      return entries;
    } catch (SQLException e) {
      throw QueryException.of(e);
    }
  }

  /** Puts this program's catalogue in front of what the store holds, for this connection. */
  public static Entries shadow(TraceStore store) {
    Entries entries = new Entries(Catalogue.load(), store.connection());
    entries.shadow();
    return entries;
  }

  /** Does the same for what a query of a user's names. */
  public static void shadowFor(TraceStore store, String sql) {
    try {
      Catalogue.load().shadow(store.connection(), sql);
    } catch (SQLException e) {
      throw QueryException.of(e);
    }
  }

  /** The entries, by name. */
  public List<CatalogueEntry> list() {
    return catalogue.list();
  }

  /** Why a trace cannot answer an entry; empty if it can. */
  public Optional<NotApplicable> missing(String entry, int traceId) {
    try {
      return catalogue.check(connection, entry, traceId);
    } catch (SQLException e) {
      throw QueryException.of(e);
    }
  }

  private void shadow() {
    try {
      catalogue.shadow(connection);
    } catch (SQLException e) {
      throw QueryException.of(e);
    }
  }
}
