package dev.counterbalance.ingest;

/**
 * What a trace format is called.
 *
 * @param name short name, as {@code --input-format} takes it, e.g. {@code perf.data}
 * @param description what writes it, in a few words
 */
public record FormatInfo(String name, String description) {}
