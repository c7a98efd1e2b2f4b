package dev.counterbalance.ingest.bundle;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.counterbalance.ingest.io.Json;
import dev.counterbalance.ingest.io.ProblemLog;
import dev.counterbalance.trace.event.Severity;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Reads bundle.json; what it knows before it meets damage stays known. */
final class BundleJson {
  static final String NAME = "bundle.json";

  private static final int VERSION = 1;
  private static final int MAX_TEXT = 1 << 16;
  private static final int MAX_ITEMS = 10_000;

  private final JsonParser in;
  private final Map<String, String> facts;

  /** The recording's file; null if it is not told. */
  String trace;

  /** Null if not told. */
  String hostname;

  /** Files of which it is told why they, or parts of them, are not there. */
  final Set<String> missing = new HashSet<>();

  private long version = -1;
  private int unread;

  private BundleJson(JsonParser in, Map<String, String> facts) {
    this.in = in;
    this.facts = facts;
  }

  /**
   * Reads the file's content, or none if that is null.
   *
   * @param facts get what it tells
   */
  static BundleJson read(byte[] bytes, Map<String, String> facts, ProblemLog log)
      throws IOException {
    try (JsonParser parser = new JsonFactory().createParser(bytes == null ? new byte[0] : bytes)) {
      BundleJson json = new BundleJson(parser, facts);
      if (bytes != null) {
        json.read(log);
      }
      return json;
    }
  }

  private void read(ProblemLog log) throws IOException {
    try {
      boolean whole = object();
      if (!whole || version < 0) {
        damaged(log, whole ? "it does not tell counterbalance_bundle" : "it is no JSON object");
      }
    } catch (JsonProcessingException e) {
      damaged(log, "no JSON: " + e.getOriginalMessage());
    }
    if (version > VERSION || unread > 0) {
      log.add(
          Severity.INFO,
          "bundle_newer",
          Math.max(unread, 1),
          -1,
          -1,
          NAME + " tells things that are not known, its version is " + version,
          "They were left out. A newer Counterbalance may know them.");
    }
  }

  private static void damaged(ProblemLog log, String what) throws IOException {
    log.damage(
        "bundle_json_damaged",
        -1,
        -1,
        NAME + ": " + what.replaceAll("[\\p{Cntrl}]+", " "),
        "What could not be read of how it was recorded is unknown.");
  }

  private boolean object() throws IOException {
    if (in.nextToken() != JsonToken.START_OBJECT) {
      return false;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String key = in.currentName();
      JsonToken token = in.nextToken();
      switch (key) {
        case "counterbalance_bundle" ->
            version = token == JsonToken.VALUE_NUMBER_INT ? in.getValueAsLong(-1) : -1;
        case "trace" -> trace = text();
        case "hostname" -> {
          hostname = text();
          fact(key, hostname);
        }
        case "recorder", "recorder_version", "exit_status", "started", "ended", "clock", "uname" ->
            fact(key, text());
        case "buffer_pages" -> fact(key, text());
        case "command", "missing_events" -> fact(key, list());
        case "events" -> in.skipChildren();
        case "missing" -> missing();
        default -> {
          unread++;
          in.skipChildren();
        }
      }
    }
    return in.currentToken() == JsonToken.END_OBJECT;
  }

  private void fact(String key, String value) {
    if (value != null) {
      facts.put("bundle." + key, value);
    }
  }

  /** A text or number, null if it is neither. */
  private String text() throws IOException {
    JsonToken token = in.currentToken();
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    if (token == null || !token.isScalarValue() || in.getTextLength() > MAX_TEXT) {
      unread++;
      in.skipChildren();
      return null;
    }
    return in.getText();
  }

  /** A list of texts, as JSON. */
  private String list() throws IOException {
    if (in.currentToken() != JsonToken.START_ARRAY) {
      return text();
    }
    StringBuilder list = new StringBuilder("[");
    while (in.nextToken() != JsonToken.END_ARRAY && in.currentToken() != null) {
      String item = text();
      if (item == null || list.length() + item.length() > MAX_TEXT) {
        unread++;
      } else {
        list.append(list.length() > 1 ? "," : "").append(Json.quoted(item));
      }
    }
    return list.append(']').toString();
  }

  private void missing() throws IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      unread++;
      in.skipChildren();
      return;
    }
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String what = in.currentName();
      in.nextToken();
      String why = text();
      if (missing.size() >= MAX_ITEMS || what.length() > MAX_TEXT) {
        unread++;
      } else {
        missing.add(what);
        fact("missing." + what, why);
      }
    }
  }
}
