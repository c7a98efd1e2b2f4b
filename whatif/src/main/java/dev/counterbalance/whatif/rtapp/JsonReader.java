package dev.counterbalance.whatif.rtapp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.counterbalance.whatif.workload.WorkloadException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON into {@link JsonValue}s. As json-c, rt-app's reader, it takes comments as in C and C++
 * and a comma after the last member. Unlike it, a name that appears twice is an error: json-c keeps
 * the last. Size, depth and lengths are limited before anything is allocated for them.
 */
final class JsonReader {
  static final int MAX_BYTES = 16 << 20;
  static final int MAX_DEPTH = 16;
  static final int MAX_VALUES = 1_000_000;
  static final int MAX_TEXT = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
          .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(MAX_TEXT)
                  .maxNameLength(MAX_TEXT)
                  .maxNumberLength(30)
                  .maxDocumentLength(MAX_BYTES)
                  .build())
          .build();

  private final String file;
  private final JsonParser parser;
  private int values;

  private JsonReader(String file, JsonParser parser) {
    this.file = file;
    this.parser = parser;
  }

  /** Reads one document. */
  static JsonValue read(String file, byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw new WorkloadException(
          file + ": must be at most " + MAX_BYTES + " bytes: a workload of that size is generated");
    }
    try (JsonParser parser = FACTORY.createParser(bytes)) {
      JsonReader reader = new JsonReader(file, parser);
      if (parser.nextToken() == null) {
        throw new WorkloadException(file + ": is empty, expected rt-app JSON");
      }
      JsonValue value = reader.value(parser.currentTokenLocation());
      if (parser.nextToken() != null) {
        throw reader.at(parser.currentTokenLocation(), "must end after the first value");
      }
      return value;
    } catch (JsonProcessingException e) {
      String message = e.getOriginalMessage().lines().findFirst().orElse("");
      if (message.length() > 200) {
        message = message.substring(0, 200) + "...";
      }
      JsonLocation location = e.getLocation();
      String place =
          location == null ? "" : ":" + location.getLineNr() + ":" + location.getColumnNr();
      throw new WorkloadException(file + place + ": is no JSON: " + message, e);
    } catch (IOException e) {
      throw new WorkloadException(file + ": is no JSON: " + e.getMessage(), e);
    }
  }

  private JsonValue value(JsonLocation start) throws IOException {
    if (++values > MAX_VALUES) {
      throw at(start, "must have at most " + MAX_VALUES + " values");
    }
    JsonToken token = parser.currentToken();
    Object value =
        switch (token) {
          case START_OBJECT -> object();
          case START_ARRAY -> array();
          case VALUE_STRING -> parser.getText();
          case VALUE_NUMBER_INT ->
              parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                  ? new JsonValue.Fraction(parser.getText())
                  : (Object) parser.getLongValue();
          case VALUE_NUMBER_FLOAT -> new JsonValue.Fraction(parser.getText());
          case VALUE_TRUE -> true;
          case VALUE_FALSE -> false;
          case VALUE_NULL -> null;
          default -> throw at(start, "unexpected " + token);
        };
    return new JsonValue(start.getLineNr(), start.getColumnNr(), value);
  }

  private Map<String, JsonValue> object() throws IOException {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      JsonLocation place = parser.currentTokenLocation();
      String name = parser.currentName();
      parser.nextToken();
      if (members.put(name, value(place)) != null) {
        throw at(
            place,
            "\""
                + name
                + "\" appears twice in one object, of which rt-app would see the last only."
                + " Number them, like run0 and run1, as its workgen does.");
      }
    }
    return members;
  }

  private List<JsonValue> array() throws IOException {
    List<JsonValue> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser.currentTokenLocation()));
    }
    return elements;
  }

  private WorkloadException at(JsonLocation place, String message) {
    return new WorkloadException(
        file + ":" + place.getLineNr() + ":" + place.getColumnNr() + ": " + message);
  }
}
