package dev.counterbalance.ingest.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers at any position of a byte array. */
public final class Bytes {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Bytes() {}

  public static int u8(byte[] bytes, int at) {
    return bytes[at] & 0xff;
  }

  public static int u16(byte[] bytes, int at) {
    return (short) SHORT.get(bytes, at) & 0xffff;
  }

  public static int s32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  public static long u32(byte[] bytes, int at) {
    return (int) INT.get(bytes, at) & 0xffffffffL;
  }

  public static long s64(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }
}
