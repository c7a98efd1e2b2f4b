package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.TraceFormatException;
import dev.counterbalance.ingest.io.Bytes;

/**
 * Finds event, time, CPU and task of a record without decoding it. Both passes use it, so that they
 * agree on which records there are.
 */
final class Locator {
  /** The record is of no use, or broken. */
  static final int SKIP = 0;

  /** The record holds true from the start: it was made up by the recorder, or has no time. */
  static final int UPFRONT = 1;

  /** The record has its place in time; {@link #timeNs} and {@link #cpu} are set. */
  static final int TIMED = 2;

  static final long NO_TIME = -1;

  private final Recording recording;
  private final boolean counts;
  private Attr only;
  private Attr[] attrs;
  private int idAt;
  private boolean byRawType;
  private boolean bySwitchRecords;
  private final long earliestNs;
  private final long latestNs;

  /** The event of a sample, or of a trailer; null if there is none. */
  Attr attr;

  /** ns in the trace's clock; {@link #NO_TIME} if the record has none. */
  long timeNs;

  /** -1 if the record does not tell. */
  int cpu;

  /**
   * Makes a locator.
   *
   * @param counts true if this pass counts what is wrong; the other passes meet it again
   */
  Locator(Recording recording, boolean counts) {
    this.recording = recording;
    this.counts = counts;
    this.earliestNs = recording.earliestNs;
    this.latestNs = recording.latestNs;
    refresh();
  }

  /** To be called when attrs or formats were added. */
  void refresh() {
    if (recording.isStale()) {
      recording.resolve();
    }
    only = recording.attrs.size() == 1 ? recording.attrs.get(0) : null;
    attrs = recording.attrs.toArray(new Attr[0]);
    idAt = attrs.length == 0 ? -1 : attrs[0].idAt;
    byRawType = recording.isByRawType();
    bySwitchRecords = recording.isBySwitchRecords();
  }

  /** Looks at a record that lies whole at pos. */
  int find(byte[] bytes, int pos, int type, int size, long offset) throws TraceFormatException {
    if (type == RecordType.SAMPLE) {
      return sample(bytes, pos, size, offset);
    }
    if (type == RecordType.COMM
        || type == RecordType.FORK
        || type == RecordType.EXIT
        || type == RecordType.LOST) {
      return other(bytes, pos, type, size, offset);
    }
    if (bySwitchRecords && RecordType.isSwitch(type)) {
      return switchRecord(bytes, pos, type, size, offset);
    }
    return SKIP;
  }

  private int sample(byte[] bytes, int pos, int size, long offset) throws TraceFormatException {
    Attr found = only != null ? only : attrOfSample(bytes, pos, size, offset);
    attr = found;
    if (found == null || !found.isTracepoint()) {
      return SKIP;
    }
    if (size < found.fixedEnd || found.timeAt < 0 || found.cpuAt < 0) {
      malformed("malformed_sample", offset, "a sample of " + size + " bytes is too short");
      return SKIP;
    }
    long time = Bytes.s64(bytes, pos + found.timeAt);
    int recordCpu = Bytes.s32(bytes, pos + found.cpuAt);
    if (time < earliestNs || time > latestNs || recordCpu < 0 || recordCpu >= Recording.MAX_CPUS) {
      malformed("malformed_sample", offset, "a sample at time " + time + " on CPU " + recordCpu);
      return SKIP;
    }
    timeNs = time;
    cpu = recordCpu;
    return TIMED;
  }

  private Attr attrOfSample(byte[] bytes, int pos, int size, long offset)
      throws TraceFormatException {
    if (idAt < 0) {
      return attrWithoutId(bytes, pos, size, offset);
    }
    if (idAt + 8 > size) {
      malformed("malformed_sample", offset, "a sample of " + size + " bytes is too short");
      return null;
    }
    long id = Bytes.s64(bytes, pos + idAt);
    int index = recording.attrOfId.get(id);
    if (index >= 0) {
      return attrs[index];
    }
    if (id == 0) {
      return attrs[0];
    }
    malformed("unknown_event_id", offset, "a sample of the unknown event id " + id);
    return null;
  }

  private Attr attrWithoutId(byte[] bytes, int pos, int size, long offset)
      throws TraceFormatException {
    if (attrs.length == 0) {
      malformed("unknown_event_id", offset, "a sample before any event description");
      return null;
    }
    if (!byRawType) {
      return attrs[0];
    }
    int raw = attrs[0].rawAt(bytes, pos, size);
    return raw < 0 || raw + 6 > size
        ? null
        : recording.attrOfRawType(Bytes.u16(bytes, pos + raw + 4));
  }

  private int other(byte[] bytes, int pos, int type, int size, long offset)
      throws TraceFormatException {
    int least = type == RecordType.FORK || type == RecordType.EXIT ? 32 : type == 3 ? 17 : 24;
    if (size < least) {
      malformed(
          "malformed_record",
          offset,
          "a record of type " + type + " and " + size + " bytes, expected " + least);
      return SKIP;
    }
    trailer(bytes, pos, size, least);
    if (type == RecordType.FORK || type == RecordType.EXIT) {
      timeNs = Bytes.s64(bytes, pos + 24);
    }
    if (timeNs <= 0) {
      timeNs = NO_TIME;
      return UPFRONT;
    }
    timeNs = Math.min(timeNs, latestNs);
    return TIMED;
  }

  private int switchRecord(byte[] bytes, int pos, int type, int size, long offset)
      throws TraceFormatException {
    int body = SwitchRecords.body(type);
    if (size >= body) {
      trailer(bytes, pos, size, body);
      if (cpu >= 0 && timeNs >= earliestNs && timeNs <= latestNs) {
        return TIMED;
      }
    }
    malformed("malformed_record", offset, "a record of type " + type + " without time or CPU");
    return SKIP;
  }

  /** Reads the trailer of any kernel record but a sample; body is the size it cannot be part of. */
  void trailer(byte[] bytes, int pos, int size, int body) {
    attr = attrOfTrailer(bytes, pos, size, body);
    timeNs = NO_TIME;
    cpu = -1;
    if (attr == null) {
      return;
    }
    int end = pos + size;
    if (attr.timeBack > 0 && size - attr.timeBack >= body) {
      timeNs = Bytes.s64(bytes, end - attr.timeBack);
    }
    if (attr.cpuBack > 0 && size - attr.cpuBack >= body) {
      int told = Bytes.s32(bytes, end - attr.cpuBack);
      cpu = told >= 0 && told < Recording.MAX_CPUS ? told : -1;
    }
  }

  /** The id in the trailer last looked at, 0 if it has none. */
  long trailerId(byte[] bytes, int pos, int size, int body) {
    return attr != null && attr.idBack > 0 && size - attr.idBack >= body
        ? Bytes.s64(bytes, pos + size - attr.idBack)
        : 0;
  }

  /** The task in the trailer last looked at, -1 if it has none. */
  int trailerTid(byte[] bytes, int pos, int size, int body) {
    return attr != null && attr.tidBack > 0 && size - attr.tidBack >= body
        ? Bytes.s32(bytes, pos + size - attr.tidBack + 4)
        : -1;
  }

  private Attr attrOfTrailer(byte[] bytes, int pos, int size, int body) {
    if (only != null || attrs.length == 0) {
      return only;
    }
    Attr first = attrs[0];
    if (first.idBack > 0 && size - first.idBack >= body) {
      int index = recording.attrOfId.get(Bytes.s64(bytes, pos + size - first.idBack));
      return index < 0 ? first : attrs[index];
    }
    return first;
  }

  private void malformed(String code, long offset, String text) throws TraceFormatException {
    if (counts && !recording.problems.again(code)) {
      recording.problems.damage(
          code, offset, -1, text, "Such records are skipped; the file may be damaged.");
    }
  }
}
