package org.saevhadoop.format.pickleshards.unpacked;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The samples whose home is one shard.
 *
 * @param lines the lines of their metadata, in ascending order
 * @param tokens the number of tokens of each sample
 * @param addresses the addresses of their blocks, {@code [sample, layer]}
 */
record ShardAddresses(int[] lines, long[] tokens, long[] addresses) {
  private static final int BUFFER = 1 << 16;

  void write(OutputStream stream) throws IOException {
    DataOutputStream out = new DataOutputStream(stream);
    out.writeInt(lines.length);
    out.writeInt(addresses.length);
    for (int i = 0; i < lines.length; i++) {
      out.writeInt(lines[i]);
      out.writeLong(tokens[i]);
    }
    for (long address : addresses) {
      out.writeLong(address);
    }
    out.flush();
  }

  static ShardAddresses read(InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(stream, BUFFER));
    int[] lines = new int[in.readInt()];
    long[] tokens = new long[lines.length];
    long[] addresses = new long[in.readInt()];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = in.readInt();
      tokens[i] = in.readLong();
    }
    for (int i = 0; i < addresses.length; i++) {
      addresses[i] = in.readLong();
    }
    return new ShardAddresses(lines, tokens, addresses);
  }

  int samples() {
    return lines.length;
  }

  /** Returns the number of the first token of each sample, followed by the number of all tokens. */
  long[] firstTokens() {
    long[] first = new long[tokens.length + 1];
    for (int i = 0; i < tokens.length; i++) {
      first[i + 1] = first[i] + tokens[i];
    }
    return first;
  }
}
