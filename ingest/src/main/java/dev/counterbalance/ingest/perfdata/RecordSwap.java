package dev.counterbalance.ingest.perfdata;

import dev.counterbalance.ingest.io.Bytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Turns records of a big-endian writer into little-endian ones, in place. Swaps what this package
 * reads: the header, the fixed fields of samples up to their raw data, tasks, losses, switches and
 * the trailer. Texts and raw data stay as they are.
 */
final class RecordSwap {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT_LITTLE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG_LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT_LITTLE =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  private final Recording recording;

  RecordSwap(Recording recording) {
    this.recording = recording;
  }

  static int type(byte[] bytes, int pos) {
    return (int) INT.get(bytes, pos);
  }

  static int size(byte[] bytes, int pos) {
    return (short) SHORT.get(bytes, pos + 6) & 0xffff;
  }

  /** Swaps only type, misc and size. */
  static void header(byte[] bytes, int pos) {
    word(bytes, pos);
    SHORT_LITTLE.set(bytes, pos + 4, (short) SHORT.get(bytes, pos + 4));
    SHORT_LITTLE.set(bytes, pos + 6, (short) SHORT.get(bytes, pos + 6));
  }

  static void word(byte[] bytes, int at) {
    INT_LITTLE.set(bytes, at, (int) INT.get(bytes, at));
  }

  static void longWord(byte[] bytes, int at) {
    LONG_LITTLE.set(bytes, at, (long) LONG.get(bytes, at));
  }

  /** Swaps a record that lies whole at pos. */
  void record(byte[] bytes, int pos) {
    header(bytes, pos);
    int type = Bytes.s32(bytes, pos);
    int size = Bytes.u16(bytes, pos + 6);
    switch (type) {
      case RecordType.SAMPLE -> sample(bytes, pos, size);
      case RecordType.COMM -> {
        words(bytes, pos + 8, 2, pos + size);
        trailer(bytes, pos, size, 17);
      }
      case RecordType.FORK, RecordType.EXIT -> {
        words(bytes, pos + 8, 4, pos + size);
        longs(bytes, pos + 24, 1, pos + size);
        trailer(bytes, pos, size, 32);
      }
      case RecordType.LOST -> {
        longs(bytes, pos + 8, 2, pos + size);
        trailer(bytes, pos, size, 24);
      }
      case RecordType.LOST_SAMPLES -> {
        longs(bytes, pos + 8, 1, pos + size);
        trailer(bytes, pos, size, 16);
      }
      case RecordType.SWITCH -> trailer(bytes, pos, size, 8);
      case RecordType.SWITCH_CPU_WIDE -> {
        words(bytes, pos + 8, 2, pos + size);
        trailer(bytes, pos, size, 16);
      }
      default -> {}
    }
  }

  private void sample(byte[] bytes, int pos, int size) {
    if (recording.attrs.isEmpty()) {
      return;
    }
    Attr attr = attrOf(bytes, pos, size, recording.attrs.get(0).idAt);
    int end = pos + size;
    int at = pos + 8;
    while (at + 8 <= Math.min(end, pos + attr.fixedEnd)) {
      if (at == pos + attr.tidAt || at == pos + attr.cpuAt) {
        word(bytes, at);
        word(bytes, at + 4);
      } else {
        longWord(bytes, at);
      }
      at += 8;
    }
    at = pos + attr.fixedEnd;
    if (attr.has(Attr.SAMPLE_READ)) {
      at = read(bytes, at, end, attr.readFormat);
    }
    if (attr.has(Attr.SAMPLE_CALLCHAIN)) {
      at = counted(bytes, at, end, 0, 1);
    }
    if (attr.has(Attr.SAMPLE_RAW) && at >= 0 && at + 4 <= end) {
      word(bytes, at);
    }
  }

  private static int read(byte[] bytes, int at, int end, long format) {
    int times = Long.bitCount(format & 3);
    int each = 1 + Long.bitCount(format & (4 | 16));
    return (format & 8) != 0
        ? counted(bytes, at, end, times, each)
        : longs(bytes, at, times + each, end);
  }

  /** Swaps a count, some words, and count times some words; -1 if that is more than there is. */
  private static int counted(byte[] bytes, int at, int end, int fixedWords, int wordsEach) {
    if (longs(bytes, at, 1, end) < 0) {
      return -1;
    }
    long n = Bytes.s64(bytes, at);
    long left = ((long) end - at) / 8 - 1 - fixedWords;
    if (n < 0 || left < 0 || n > left / wordsEach) {
      return -1;
    }
    return longs(bytes, at + 8, fixedWords + (int) n * wordsEach, end);
  }

  private Attr attrOf(byte[] bytes, int pos, int size, int idAt) {
    Attr first = recording.attrs.get(0);
    if (recording.attrs.size() == 1 || idAt < 0 || idAt + 8 > size) {
      return first;
    }
    int index = recording.attrOfId.get((long) LONG.get(bytes, pos + idAt));
    return index < 0 ? first : recording.attrs.get(index);
  }

  private void trailer(byte[] bytes, int pos, int size, int body) {
    if (recording.attrs.isEmpty()) {
      return;
    }
    int idBack = recording.attrs.get(0).idBack;
    Attr attr = attrOf(bytes, pos, size, idBack > 0 ? size - idBack : -1);
    for (int back = attr.trailerSize; back > 0; back -= 8) {
      if (size - back < body) {
        continue;
      }
      int at = pos + size - back;
      if (back == attr.tidBack || back == attr.cpuBack) {
        words(bytes, at, 2, pos + size);
      } else {
        longs(bytes, at, 1, pos + size);
      }
    }
  }

  private static void words(byte[] bytes, int at, int count, int end) {
    for (int i = 0; i < count && at + 4 * i + 4 <= end; i++) {
      word(bytes, at + 4 * i);
    }
  }

  /** Swaps 64-bit words; where they end, -1 if not all are there. */
  private static int longs(byte[] bytes, int at, int count, int end) {
    if (at < 0) {
      return -1;
    }
    for (int i = 0; i < count; i++) {
      if (at + 8 * i + 8 > end) {
        return -1;
      }
      longWord(bytes, at + 8 * i);
    }
    return at + 8 * count;
  }
}
