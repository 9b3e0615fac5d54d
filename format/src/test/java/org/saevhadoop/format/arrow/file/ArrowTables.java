package org.saevhadoop.format.arrow.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.MetadataVersion;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.Text;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.tensor.DType;

/** Arrow files that Apache Arrow writes. Values are lists, numbers by their bits, or null. */
public final class ArrowTables {
  public static final ArrowType LIST = new ArrowType.List();
  public static final ArrowType LARGE_LIST = new ArrowType.LargeList();
  public static final ArrowType UTF8 = new ArrowType.Utf8();

  /** Returns a column of values of a type, one in a row. */
  public static Field scalar(String name, ArrowType type) {
    return column(name, type, List.of(), Map.of());
  }

  private ArrowTables() {}

  /** How a table is written. */
  public record Form(boolean isFile, MetadataVersion version, boolean isLegacy, CodecType codec) {
    public Form(boolean isFile, MetadataVersion version, boolean isLegacy) {
      this(isFile, version, isLegacy, CodecType.NO_COMPRESSION);
    }

    CompressionCodec.Factory codecs() {
      return codec == CodecType.NO_COMPRESSION
          ? NoCompressionCodec.Factory.INSTANCE
          : CommonsCompressionFactory.INSTANCE;
    }

    public Form with(CodecType codec) {
      return new Form(isFile, version, isLegacy, codec);
    }
  }

  /** A stream as pyarrow and datasets write it. */
  public static final Form STREAM = new Form(false, MetadataVersion.V5, false);

  public static final Form FILE = new Form(true, MetadataVersion.V5, false);

  public static ArrowType fixed(int size) {
    return new ArrowType.FixedSizeList(size);
  }

  public static ArrowType type(DType dtype) {
    return switch (dtype) {
      case BOOL -> new ArrowType.Bool();
      case F16 -> new ArrowType.FloatingPoint(FloatingPointPrecision.HALF);
      case F32 -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case F64 -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      default -> new ArrowType.Int(dtype.bits(), dtype.name().startsWith("I"));
    };
  }

  /** Returns a column of lists of lists, the outer ones first. */
  public static Field column(String name, DType dtype, ArrowType... lists) {
    return column(name, type(dtype), List.of(lists), Map.of());
  }

  public static Field column(
      String name, ArrowType leaf, List<ArrowType> lists, Map<String, String> metadata) {
    return lists.isEmpty()
        ? new Field(name, new FieldType(true, leaf, null, metadata), List.of())
        : new Field(
            name,
            new FieldType(true, lists.get(0), null, metadata),
            List.of(column("item", leaf, lists.subList(1, lists.size()), Map.of())));
  }

  /**
   * Writes batches of rows.
   *
   * @param batches for each batch, for each column, a value for each row
   */
  public static byte[] write(Form form, List<Field> fields, List<List<List<Object>>> batches)
      throws IOException {
    return write(form, fields, batches, null);
  }

  /** Writes batches of rows, some of whose columns may be indexes of dictionaries. */
  public static byte[] write(
      Form form,
      List<Field> fields,
      List<List<List<Object>>> batches,
      @Nullable DictionaryProvider dictionaries)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    IpcOption option = new IpcOption(form.isLegacy, form.version);
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root = VectorSchemaRoot.create(new Schema(fields), allocator);
        ArrowWriter writer =
            form.isFile
                ? new ArrowFileWriter(
                    root,
                    dictionaries,
                    Channels.newChannel(out),
                    Map.of(),
                    option,
                    form.codecs(),
                    form.codec)
                : new ArrowStreamWriter(
                    root,
                    dictionaries,
                    Channels.newChannel(out),
                    option,
                    form.codecs(),
                    form.codec)) {
      writer.start();
      for (List<List<Object>> batch : batches) {
        root.clear();
        int rows = batch.get(0).size();
        for (int i = 0; i < fields.size(); i++) {
          fill(root.getVector(i), batch.get(i));
        }
        root.setRowCount(rows);
        writer.writeBatch();
      }
      writer.end();
    }
    return out.toByteArray();
  }

  static void fill(FieldVector vector, List<Object> values) {
    vector.allocateNew();
    for (int i = 0; i < values.size(); i++) {
      set(vector, i, values.get(i));
    }
    vector.setValueCount(values.size());
  }

  private static void set(FieldVector vector, int index, @Nullable Object value) {
    if (vector instanceof StructVector struct) {
      while (struct.getValueCapacity() <= index) {
        struct.reAlloc();
      }
      if (value == null) {
        struct.setNull(index);
        return;
      }
      struct.setIndexDefined(index);
      List<?> children = (List<?>) value;
      for (int i = 0; i < children.size(); i++) {
        set((FieldVector) struct.getChildByOrdinal(i), index, children.get(i));
      }
    } else if (vector instanceof ListVector list) {
      if (value == null) {
        list.setNull(index);
        return;
      }
      int at = list.startNewValue(index);
      list.endValue(index, fillElements(list.getDataVector(), at, (List<?>) value));
    } else if (vector instanceof LargeListVector list) {
      if (value == null) {
        list.setNull(index);
        return;
      }
      long at = list.startNewValue(index);
      list.endValue(index, fillElements(list.getDataVector(), (int) at, (List<?>) value));
    } else if (vector instanceof FixedSizeListVector list) {
      if (value == null) {
        list.setNull(index);
        return;
      }
      fillElements(list.getDataVector(), list.startNewValue(index), (List<?>) value);
    } else if (vector instanceof VarCharVector texts && value != null) {
      texts.setSafe(index, new Text(String.valueOf(value)));
    } else if (vector instanceof LargeVarCharVector texts && value != null) {
      texts.setSafe(index, new Text(String.valueOf(value)));
    } else if (vector instanceof ViewVarCharVector texts && value != null) {
      texts.setSafe(index, new Text(String.valueOf(value)));
    } else if (vector instanceof BaseVariableWidthVector texts) {
      texts.setNull(index);
    } else if (vector instanceof BaseLargeVariableWidthVector texts) {
      texts.setNull(index);
    } else if (vector instanceof BaseVariableWidthViewVector texts) {
      texts.setNull(index);
    } else if (value == null) {
      ((BaseFixedWidthVector) vector).setNull(index);
    } else {
      number((BaseFixedWidthVector) vector, index, (Long) value);
    }
  }

  private static int fillElements(FieldVector data, int at, List<?> values) {
    for (int i = 0; i < values.size(); i++) {
      set(data, at + i, values.get(i));
    }
    return values.size();
  }

  private static void number(BaseFixedWidthVector vector, int index, long bits) {
    while (vector.getValueCapacity() <= index) {
      vector.reAlloc();
    }
    vector.setIndexDefined(index);
    if (vector instanceof BitVector booleans) {
      booleans.set(index, (int) bits & 1);
      return;
    }
    int width = vector.getTypeWidth();
    byte[] bytes = bytes(bits, width);
    vector.getDataBuffer().setBytes((long) index * width, bytes);
  }

  static byte[] bytes(long bits, int width) {
    byte[] all =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(bits).array();
    return Arrays.copyOf(all, width);
  }

  /** Returns the numbers in lists of lists, one after another. */
  static List<Long> flat(@Nullable Object value) {
    if (value instanceof List<?> list) {
      List<Long> all = new ArrayList<>();
      list.forEach(each -> all.addAll(flat(each)));
      return all;
    }
    return List.of((Long) Objects.requireNonNull(value));
  }
}
