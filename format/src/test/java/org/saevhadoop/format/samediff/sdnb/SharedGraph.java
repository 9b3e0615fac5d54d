package org.saevhadoop.format.samediff.sdnb;

import com.google.flatbuffers.FlatBufferBuilder;
import java.nio.ByteBuffer;

/** Makes files whose variables are all the same table: small files that claim to be large. */
final class SharedGraph {
  private SharedGraph() {}

  static byte[] of(int variables, int nameBytes) {
    FlatBufferBuilder builder = new FlatBufferBuilder();
    int name = builder.createString("n".repeat(nameBytes));
    builder.startTable(FlatFields.VARIABLE_FIELDS);
    builder.addOffset(FlatFields.VARIABLE_NAME, name, 0);
    int table = builder.endTable();
    builder.startVector(Integer.BYTES, variables, Integer.BYTES);
    for (int i = 0; i < variables; i++) {
      builder.addOffset(table);
    }
    int vector = builder.endVector();
    builder.startTable(FlatFields.GRAPH_FIELDS);
    builder.addOffset(FlatFields.GRAPH_VARIABLES, vector, 0);
    builder.finish(builder.endTable());
    byte[] graph = builder.sizedByteArray();
    ByteBuffer file = ByteBuffer.allocate(SdnbHeader.BYTES + graph.length);
    new SdnbHeader(SdnbHeader.BYTES + graph.length, 0).writeTo(file);
    return file.put(graph).array();
  }
}
