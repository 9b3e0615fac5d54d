package org.saevhadoop.format.samediff.sdnb;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Makes SDNB files as other programs may write them, also malformed ones. */
public final class SdnbForge {
  /** A variable; what is null is left out. */
  public static final class Variable {
    final String name;
    int kind = 1;
    int type = 5;
    long[] shape;
    boolean stub;
    Integer stubType;
    long[] stubShape;
    int order;
    byte[] inline;
    byte[] appended;
    Long appendedOffset;
    Long appendedLength;
    boolean external;
    boolean chunks;
    boolean listed = true;

    Variable(String name) {
      this.name = name;
    }

    /** Sets the dimensions of the variable itself. */
    public Variable shape(long... sizes) {
      shape = sizes;
      return this;
    }

    /** Adds a description of values. */
    public Variable stub(long... sizes) {
      stub = true;
      stubShape = sizes;
      return this;
    }

    /** Adds inline values. */
    public Variable inline(byte[] values) {
      inline = values;
      return this;
    }

    /** Adds appended values. */
    public Variable appended(byte[] values) {
      appended = values;
      return this;
    }

    /** Puts the values into another file. */
    public Variable external() {
      external = true;
      return this;
    }

    /** Puts the values into several buffers. */
    public Variable chunks() {
      chunks = true;
      return this;
    }

    /** Sets the code of the type. */
    public Variable type(int code) {
      type = code;
      return this;
    }

    /** Sets the code of the kind. */
    public Variable kind(int code) {
      kind = code;
      return this;
    }

    /** Sets the order of the elements. */
    public Variable order(int code) {
      order = code;
      return this;
    }
  }

  private final List<Variable> variables = new ArrayList<>();
  private final Map<String, String> metadata = new TreeMap<>();
  final Map<String, long[]> extraEntries = new LinkedHashMap<>();
  boolean nodes = true;
  int operationCount;
  int metadataKeysMore;

  /** Adds a variable. */
  public Variable add(String name) {
    Variable variable = new Variable(name);
    variables.add(variable);
    return variable;
  }

  /** Adds a metadata entry. */
  public SdnbForge metadata(String key, String value) {
    metadata.put(key, value);
    return this;
  }

  /** Returns the file. */
  public byte[] bytes() {
    byte[] graph = graph();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<SdnbManifestEntry> entries = new ArrayList<>();
    long at = SdnbHeader.BYTES + graph.length;
    for (Variable variable : variables) {
      if (variable.appended != null) {
        if (variable.listed) {
          entries.add(new SdnbManifestEntry(variable.name, at, variable.appended.length));
        }
        out.writeBytes(variable.appended);
        at += variable.appended.length;
      }
    }
    extraEntries.forEach(
        (name, range) -> entries.add(new SdnbManifestEntry(name, range[0], range[1])));
    byte[] manifest = SdnbManifestEncoder.encode(entries);
    ByteBuffer file =
        ByteBuffer.allocate(SdnbHeader.BYTES + graph.length + out.size() + manifest.length);
    new SdnbHeader(at, manifest.length).writeTo(file);
    return file.put(graph).put(out.toByteArray()).put(manifest).array();
  }

  private byte[] graph() {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int[] tables = new int[variables.size()];
    long at = 0;
    for (int i = 0; i < tables.length; i++) {
      tables[i] = variable(builder, variables.get(i), at);
      at += variables.get(i).appended == null ? 0 : variables.get(i).appended.length;
    }
    int vector = builder.createVectorOfTables(tables);
    int[] operations = new int[operationCount];
    for (int i = 0; i < operations.length; i++) {
      builder.startTable(0);
      operations[i] = builder.endTable();
    }
    int operationVector = builder.createVectorOfTables(operations);
    int[] keys = texts(builder, new ArrayList<>(metadata.keySet()), metadataKeysMore);
    int keyVector = builder.createVectorOfTables(keys);
    int valueVector =
        builder.createVectorOfTables(texts(builder, new ArrayList<>(metadata.values()), 0));
    builder.startTable(FlatFields.GRAPH_FIELDS);
    builder.addOffset(FlatFields.GRAPH_VARIABLES, vector, 0);
    if (nodes) {
      builder.addOffset(FlatFields.GRAPH_NODES, operationVector, 0);
    }
    builder.addOffset(FlatFields.GRAPH_METADATA_KEYS, keyVector, 0);
    builder.addOffset(FlatFields.GRAPH_METADATA_VALUES, valueVector, 0);
    builder.finish(builder.endTable());
    return builder.sizedByteArray();
  }

  private static int[] texts(FlatBufferBuilder builder, List<String> texts, int more) {
    int[] offsets = new int[texts.size() + more];
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = builder.createString(texts.get(Math.min(i, texts.size() - 1)));
    }
    return offsets;
  }

  private static int variable(FlatBufferBuilder builder, Variable variable, long at) {
    int name =
        variable.name == null
            ? 0
            : builder.createString(ByteBuffer.wrap(variable.name.getBytes(StandardCharsets.UTF_8)));
    int shape = shape(builder, variable.shape);
    int values = variable.stub ? values(builder, variable, at) : 0;
    builder.startTable(FlatFields.VARIABLE_FIELDS);
    builder.addOffset(FlatFields.VARIABLE_NAME, name, 0);
    builder.addByte(FlatFields.VARIABLE_TYPE, (byte) variable.type, 0);
    builder.addOffset(FlatFields.VARIABLE_SHAPE, shape, 0);
    builder.addOffset(FlatFields.VARIABLE_VALUES, values, 0);
    builder.addByte(FlatFields.VARIABLE_KIND, (byte) variable.kind, 0);
    return builder.endTable();
  }

  private static int values(FlatBufferBuilder builder, Variable variable, long at) {
    int shape = shape(builder, variable.stubShape);
    int buffer = variable.inline == null ? 0 : builder.createByteVector(variable.inline);
    int chunk = variable.chunks ? builder.createByteVector(new byte[4]) : 0;
    int chunks = variable.chunks ? builder.createVectorOfTables(new int[] {chunk}) : 0;
    boolean appended = variable.appended != null;
    long offset = variable.appendedOffset == null ? appended ? at : 0 : variable.appendedOffset;
    long length =
        variable.appendedLength == null
            ? appended ? variable.appended.length : 0
            : variable.appendedLength;
    builder.startTable(FlatFields.ARRAY_FIELDS);
    builder.addOffset(FlatFields.ARRAY_SHAPE, shape, 0);
    builder.addOffset(FlatFields.ARRAY_BUFFER, buffer, 0);
    int type = variable.stubType == null ? variable.type : variable.stubType;
    builder.addByte(FlatFields.ARRAY_TYPE, (byte) type, 0);
    builder.addByte(FlatFields.ARRAY_ORDER, (byte) variable.order, 0);
    builder.addOffset(FlatFields.ARRAY_CHUNKS, chunks, 0);
    builder.addBoolean(FlatFields.ARRAY_IS_EXTERNAL, variable.external, false);
    builder.addLong(FlatFields.ARRAY_APPENDED_OFFSET, offset, 0);
    builder.addLong(FlatFields.ARRAY_APPENDED_LENGTH, length, 0);
    return builder.endTable();
  }

  private static int shape(FlatBufferBuilder builder, long[] sizes) {
    if (sizes == null) {
      return 0;
    }
    builder.startVector(Long.BYTES, sizes.length, Long.BYTES);
    for (int i = sizes.length - 1; i >= 0; i--) {
      builder.addLong(sizes[i]);
    }
    return builder.endVector();
  }
}
