package org.saevhadoop.format.pickle;

import java.lang.reflect.Field;

/** Opcodes of protocols 0 to 5, with their names in CPython (Lib/pickletools.py). */
public final class Opcode {
  public static final int INT = 0x49;
  public static final int BININT = 0x4a;
  public static final int BININT1 = 0x4b;
  public static final int BININT2 = 0x4d;
  public static final int LONG = 0x4c;
  public static final int LONG1 = 0x8a;
  public static final int LONG4 = 0x8b;
  public static final int STRING = 0x53;
  public static final int BINSTRING = 0x54;
  public static final int SHORT_BINSTRING = 0x55;
  public static final int BINBYTES = 0x42;
  public static final int SHORT_BINBYTES = 0x43;
  public static final int BINBYTES8 = 0x8e;
  public static final int BYTEARRAY8 = 0x96;
  public static final int NEXT_BUFFER = 0x97;
  public static final int READONLY_BUFFER = 0x98;
  public static final int NONE = 0x4e;
  public static final int NEWTRUE = 0x88;
  public static final int NEWFALSE = 0x89;
  public static final int UNICODE = 0x56;
  public static final int SHORT_BINUNICODE = 0x8c;
  public static final int BINUNICODE = 0x58;
  public static final int BINUNICODE8 = 0x8d;
  public static final int FLOAT = 0x46;
  public static final int BINFLOAT = 0x47;
  public static final int EMPTY_LIST = 0x5d;
  public static final int APPEND = 0x61;
  public static final int APPENDS = 0x65;
  public static final int LIST = 0x6c;
  public static final int EMPTY_TUPLE = 0x29;
  public static final int TUPLE = 0x74;
  public static final int TUPLE1 = 0x85;
  public static final int TUPLE2 = 0x86;
  public static final int TUPLE3 = 0x87;
  public static final int EMPTY_DICT = 0x7d;
  public static final int DICT = 0x64;
  public static final int SETITEM = 0x73;
  public static final int SETITEMS = 0x75;
  public static final int EMPTY_SET = 0x8f;
  public static final int ADDITEMS = 0x90;
  public static final int FROZENSET = 0x91;
  public static final int POP = 0x30;
  public static final int DUP = 0x32;
  public static final int MARK = 0x28;
  public static final int POP_MARK = 0x31;
  public static final int GET = 0x67;
  public static final int BINGET = 0x68;
  public static final int LONG_BINGET = 0x6a;
  public static final int PUT = 0x70;
  public static final int BINPUT = 0x71;
  public static final int LONG_BINPUT = 0x72;
  public static final int MEMOIZE = 0x94;
  public static final int EXT1 = 0x82;
  public static final int EXT2 = 0x83;
  public static final int EXT4 = 0x84;
  public static final int GLOBAL = 0x63;
  public static final int STACK_GLOBAL = 0x93;
  public static final int REDUCE = 0x52;
  public static final int BUILD = 0x62;
  public static final int INST = 0x69;
  public static final int OBJ = 0x6f;
  public static final int NEWOBJ = 0x81;
  public static final int NEWOBJ_EX = 0x92;
  public static final int PROTO = 0x80;
  public static final int STOP = 0x2e;
  public static final int FRAME = 0x95;
  public static final int PERSID = 0x50;
  public static final int BINPERSID = 0x51;

  private static final String[] NAMES = new String[256];

  static {
    try {
      for (Field field : Opcode.class.getFields()) {
        NAMES[field.getInt(null)] = field.getName();
      }
    } catch (IllegalAccessException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Opcode() {}

  /** Returns whether an unsigned byte is an opcode. */
  public static boolean isKnown(int opcode) {
    return NAMES[opcode] != null;
  }

  /** Returns the name of the opcode, or its byte if the opcode is unknown. */
  public static String name(int opcode) {
    return isKnown(opcode) ? NAMES[opcode] : String.format("byte 0x%02x", opcode);
  }
}
