package org.saevhadoop.format.samediff.sdnb;

import static java.io.ObjectStreamConstants.TC_ARRAY;
import static java.io.ObjectStreamConstants.TC_CLASSDESC;
import static java.io.ObjectStreamConstants.TC_ENDBLOCKDATA;
import static java.io.ObjectStreamConstants.TC_ENUM;
import static java.io.ObjectStreamConstants.TC_LONGSTRING;
import static java.io.ObjectStreamConstants.TC_NULL;
import static java.io.ObjectStreamConstants.TC_OBJECT;
import static java.io.ObjectStreamConstants.TC_REFERENCE;
import static java.io.ObjectStreamConstants.TC_STRING;
import static java.io.ObjectStreamConstants.baseWireHandle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.sdnb.SerialClass.SerialField;

/**
 * Reads the elements of the serialization stream that makes up a manifest. Each method reads one
 * element, or a reference to an earlier one of the same kind, and rejects all others. Objects are
 * represented by values of types in this package; no class named in the stream is loaded.
 *
 * <p>Source: Java Object Serialization Specification, section 6.4.2.
 */
final class SerialObjects {
  private static final int MAX_SHOWN = 100;

  /** Objects that can be referenced, in the order of their numbers. */
  private final List<Object> handles = new ArrayList<>();

  private final SerialInput in;
  private long textBytes;

  SerialObjects(SerialInput in) {
    this.in = in;
  }

  /** A value of the map: the location of an array. */
  record ByteRange(long offset, long length) {}

  /**
   * An object that has a number but whose fields have not been read yet, so nothing may refer to
   * it.
   */
  private enum Unfinished {
    OBJECT
  }

  /**
   * Reads the beginning of an object up to its fields, which must be read next.
   *
   * @return the index of the object among the objects that can be referenced
   */
  int readObject(SerialClass type) throws IOException {
    long at = in.position();
    int tag = in.readByte();
    if (tag != TC_OBJECT) {
      throw unexpected(tag, at, type.className());
    }
    readClass(type);
    handles.add(Unfinished.OBJECT);
    return handles.size() - 1;
  }

  private void readClass(SerialClass type) throws IOException {
    long at = in.position();
    int tag = in.readByte();
    if (tag == TC_REFERENCE) {
      Object found = readReference(at);
      if (found != type) {
        throw misplaced(at, "the description of " + type.className());
      }
    } else if (tag == TC_CLASSDESC) {
      readDescription(type);
    } else {
      throw unexpected(tag, at, "the description of " + type.className());
    }
  }

  private void readDescription(SerialClass type) throws IOException {
    long at = in.position();
    String name = readUtf();
    if (!name.equals(type.className())) {
      throw notAllowed(name, at, type.className());
    }
    checkAttribute(in.position(), "serialVersionUID", in.readLong(), type.uid(), type);
    handles.add(type);
    checkAttribute(in.position(), "flags", in.readByte(), type.flags(), type);
    readFields(type);
    readEnd("the end of the description of " + name);
    if (type.parent() != null) {
      readClass(type.parent());
      return;
    }
    at = in.position();
    int tag = in.readByte();
    if (tag != TC_NULL) {
      throw unexpected(tag, at, "no superclass of " + name);
    }
  }

  private void checkAttribute(long at, String what, long found, long expected, SerialClass type)
      throws FormatException {
    in.check(
        found == expected,
        "class %s has the %s %d, at byte %d (expected %d)",
        type.className(),
        what,
        found,
        at,
        expected);
  }

  private void readFields(SerialClass type) throws IOException {
    List<SerialField> fields = type.fields();
    checkAttribute(in.position(), "field count", in.readShort(), fields.size(), type);
    for (SerialField field : fields) {
      long at = in.position();
      SerialField found = new SerialField((char) in.readByte(), readUtf());
      in.check(
          found.equals(field),
          "class %s has the field %s, at byte %d (expected %s)",
          type.className(),
          show(found.type() + " " + found.name()),
          at,
          field.type() + " " + field.name());
      if (field.type() == SerialField.OBJECT) {
        at = in.position();
        String declared = readText();
        in.check(
            declared.equals(SerialField.OBJECT_TYPE),
            "field %s has the type %s, at byte %d (expected %s)",
            field.name(),
            show(declared),
            at,
            SerialField.OBJECT_TYPE);
      }
    }
  }

  /** Reads the mark that ends data of variable length. */
  void readEnd(String expected) throws IOException {
    long at = in.position();
    int tag = in.readByte();
    if (tag != TC_ENDBLOCKDATA) {
      throw unexpected(tag, at, expected);
    }
  }

  String readText() throws IOException {
    long at = in.position();
    int tag = in.readByte();
    if (tag == TC_REFERENCE) {
      Object found = readReference(at);
      if (found instanceof String text) {
        return text;
      }
      throw misplaced(at, "a string");
    }
    if (tag != TC_STRING && tag != TC_LONGSTRING) {
      throw unexpected(tag, at, "a string");
    }
    long length = tag == TC_STRING ? in.readShort() : in.readLong();
    in.check(
        length >= 0 && length <= in.remaining(),
        "a string has %d bytes, at byte %d (expected at most %d)",
        length,
        at,
        in.remaining());
    in.checkLimit(length, SdnbLimits.MAX_NAME_BYTES, "bytes in a name", at);
    textBytes += length;
    in.checkLimit(textBytes, SdnbLimits.MAX_MANIFEST_NAME_BYTES, "bytes of names", at);
    String text = decode((int) length);
    handles.add(text);
    return text;
  }

  Long readLong() throws IOException {
    long at = in.position();
    if (in.peekByte() == TC_REFERENCE) {
      in.readByte();
      Object found = readReference(at);
      if (found instanceof Long number) {
        return number;
      }
      throw misplaced(at, SerialClass.LONG.className());
    }
    int index = readObject(SerialClass.LONG);
    Long number = in.readLong();
    handles.set(index, number);
    return number;
  }

  /** Reads an offset and a length, which must not be negative. */
  ByteRange readRange() throws IOException {
    long at = in.position();
    if (in.peekByte() == TC_REFERENCE) {
      in.readByte();
      Object found = readReference(at);
      if (found instanceof ByteRange range) {
        return range;
      }
      throw misplaced(at, SerialClass.PAIR.className());
    }
    int index = readObject(SerialClass.PAIR);
    ByteRange range = new ByteRange(readPlace("offset"), readPlace("length"));
    handles.set(index, range);
    return range;
  }

  private long readPlace(String what) throws IOException {
    long at = in.position();
    long number = readLong();
    in.check(number >= 0, "an entry has the %s %d, at byte %d", what, number, at);
    return number;
  }

  private Object readReference(long at) throws IOException {
    int index = in.readInt() - baseWireHandle;
    in.check(
        index >= 0 && index < handles.size(),
        "a reference to object %d of %d, at byte %d",
        index,
        handles.size(),
        at);
    return handles.get(index);
  }

  private String readUtf() throws IOException {
    return decode(in.readShort());
  }

  private String decode(int length) throws IOException {
    long at = in.position();
    byte[] bytes = in.readBytes(length);
    try {
      return ModifiedUtf8.decode(bytes);
    } catch (ModifiedUtf8.Malformed e) {
      throw in.fail("a string is not modified UTF-8, at byte %d", at + e.index()).causedBy(e);
    }
  }

  /** Returns the exception for a reference to an object of another kind. */
  private FormatException misplaced(long at, String expected) {
    return in.fail("a reference to another object, at byte %d (expected %s)", at, expected);
  }

  /**
   * Returns the exception for an element other than the expected one.
   *
   * @param tag the first byte of the element, which has been read
   * @param at the position of the element in the file
   */
  FormatException unexpected(int tag, long at, String expected) throws IOException {
    boolean isObject = tag == TC_OBJECT || tag == TC_ARRAY || tag == TC_ENUM;
    if (tag == TC_CLASSDESC || isObject && in.peekByte() == TC_CLASSDESC) {
      if (isObject) {
        in.readByte();
      }
      return notAllowed(readUtf(), at, expected);
    }
    return in.fail("the element 0x%02x, at byte %d (expected %s)", tag, at, expected);
  }

  private FormatException notAllowed(String name, long at, String expected) {
    return in.fail("class not allowed: %s, at byte %d (expected %s)", show(name), at, expected);
  }

  private static String show(String text) {
    return Quote.show(text, MAX_SHOWN);
  }
}
