package org.saevhadoop.format.pickle.read;

/** Opcodes of protocols 0 to 5, with the names of CPython (Lib/pickletools.py). */
final class Opcode {
  static final int INT = 0x49;
  static final int BININT = 0x4a;
  static final int BININT1 = 0x4b;
  static final int BININT2 = 0x4d;
  static final int LONG = 0x4c;
  static final int LONG1 = 0x8a;
  static final int LONG4 = 0x8b;
  static final int STRING = 0x53;
  static final int BINSTRING = 0x54;
  static final int SHORT_BINSTRING = 0x55;
  static final int BINBYTES = 0x42;
  static final int SHORT_BINBYTES = 0x43;
  static final int BINBYTES8 = 0x8e;
  static final int BYTEARRAY8 = 0x96;
  static final int NEXT_BUFFER = 0x97;
  static final int READONLY_BUFFER = 0x98;
  static final int NONE = 0x4e;
  static final int NEWTRUE = 0x88;
  static final int NEWFALSE = 0x89;
  static final int UNICODE = 0x56;
  static final int SHORT_BINUNICODE = 0x8c;
  static final int BINUNICODE = 0x58;
  static final int BINUNICODE8 = 0x8d;
  static final int FLOAT = 0x46;
  static final int BINFLOAT = 0x47;
  static final int EMPTY_LIST = 0x5d;
  static final int APPEND = 0x61;
  static final int APPENDS = 0x65;
  static final int LIST = 0x6c;
  static final int EMPTY_TUPLE = 0x29;
  static final int TUPLE = 0x74;
  static final int TUPLE1 = 0x85;
  static final int TUPLE2 = 0x86;
  static final int TUPLE3 = 0x87;
  static final int EMPTY_DICT = 0x7d;
  static final int DICT = 0x64;
  static final int SETITEM = 0x73;
  static final int SETITEMS = 0x75;
  static final int EMPTY_SET = 0x8f;
  static final int ADDITEMS = 0x90;
  static final int FROZENSET = 0x91;
  static final int POP = 0x30;
  static final int DUP = 0x32;
  static final int MARK = 0x28;
  static final int POP_MARK = 0x31;
  static final int GET = 0x67;
  static final int BINGET = 0x68;
  static final int LONG_BINGET = 0x6a;
  static final int PUT = 0x70;
  static final int BINPUT = 0x71;
  static final int LONG_BINPUT = 0x72;
  static final int MEMOIZE = 0x94;
  static final int EXT1 = 0x82;
  static final int EXT2 = 0x83;
  static final int EXT4 = 0x84;
  static final int GLOBAL = 0x63;
  static final int STACK_GLOBAL = 0x93;
  static final int REDUCE = 0x52;
  static final int BUILD = 0x62;
  static final int INST = 0x69;
  static final int OBJ = 0x6f;
  static final int NEWOBJ = 0x81;
  static final int NEWOBJ_EX = 0x92;
  static final int PROTO = 0x80;
  static final int STOP = 0x2e;
  static final int FRAME = 0x95;
  static final int PERSID = 0x50;
  static final int BINPERSID = 0x51;

  private static final String[] NAMES = new String[256];

  static {
    NAMES[INT] = "INT";
    NAMES[BININT] = "BININT";
    NAMES[BININT1] = "BININT1";
    NAMES[BININT2] = "BININT2";
    NAMES[LONG] = "LONG";
    NAMES[LONG1] = "LONG1";
    NAMES[LONG4] = "LONG4";
    NAMES[STRING] = "STRING";
    NAMES[BINSTRING] = "BINSTRING";
    NAMES[SHORT_BINSTRING] = "SHORT_BINSTRING";
    NAMES[BINBYTES] = "BINBYTES";
    NAMES[SHORT_BINBYTES] = "SHORT_BINBYTES";
    NAMES[BINBYTES8] = "BINBYTES8";
    NAMES[BYTEARRAY8] = "BYTEARRAY8";
    NAMES[NEXT_BUFFER] = "NEXT_BUFFER";
    NAMES[READONLY_BUFFER] = "READONLY_BUFFER";
    NAMES[NONE] = "NONE";
    NAMES[NEWTRUE] = "NEWTRUE";
    NAMES[NEWFALSE] = "NEWFALSE";
    NAMES[UNICODE] = "UNICODE";
    NAMES[SHORT_BINUNICODE] = "SHORT_BINUNICODE";
    NAMES[BINUNICODE] = "BINUNICODE";
    NAMES[BINUNICODE8] = "BINUNICODE8";
    NAMES[FLOAT] = "FLOAT";
    NAMES[BINFLOAT] = "BINFLOAT";
    NAMES[EMPTY_LIST] = "EMPTY_LIST";
    NAMES[APPEND] = "APPEND";
    NAMES[APPENDS] = "APPENDS";
    NAMES[LIST] = "LIST";
    NAMES[EMPTY_TUPLE] = "EMPTY_TUPLE";
    NAMES[TUPLE] = "TUPLE";
    NAMES[TUPLE1] = "TUPLE1";
    NAMES[TUPLE2] = "TUPLE2";
    NAMES[TUPLE3] = "TUPLE3";
    NAMES[EMPTY_DICT] = "EMPTY_DICT";
    NAMES[DICT] = "DICT";
    NAMES[SETITEM] = "SETITEM";
    NAMES[SETITEMS] = "SETITEMS";
    NAMES[EMPTY_SET] = "EMPTY_SET";
    NAMES[ADDITEMS] = "ADDITEMS";
    NAMES[FROZENSET] = "FROZENSET";
    NAMES[POP] = "POP";
    NAMES[DUP] = "DUP";
    NAMES[MARK] = "MARK";
    NAMES[POP_MARK] = "POP_MARK";
    NAMES[GET] = "GET";
    NAMES[BINGET] = "BINGET";
    NAMES[LONG_BINGET] = "LONG_BINGET";
    NAMES[PUT] = "PUT";
    NAMES[BINPUT] = "BINPUT";
    NAMES[LONG_BINPUT] = "LONG_BINPUT";
    NAMES[MEMOIZE] = "MEMOIZE";
    NAMES[EXT1] = "EXT1";
    NAMES[EXT2] = "EXT2";
    NAMES[EXT4] = "EXT4";
    NAMES[GLOBAL] = "GLOBAL";
    NAMES[STACK_GLOBAL] = "STACK_GLOBAL";
    NAMES[REDUCE] = "REDUCE";
    NAMES[BUILD] = "BUILD";
    NAMES[INST] = "INST";
    NAMES[OBJ] = "OBJ";
    NAMES[NEWOBJ] = "NEWOBJ";
    NAMES[NEWOBJ_EX] = "NEWOBJ_EX";
    NAMES[PROTO] = "PROTO";
    NAMES[STOP] = "STOP";
    NAMES[FRAME] = "FRAME";
    NAMES[PERSID] = "PERSID";
    NAMES[BINPERSID] = "BINPERSID";
  }

  private Opcode() {}

  static boolean isKnown(int opcode) {
    return NAMES[opcode] != null;
  }

  /** Returns the name; for an unknown opcode, its byte. */
  static String name(int opcode) {
    return isKnown(opcode) ? NAMES[opcode] : String.format("byte 0x%02x", opcode);
  }
}
