package org.saevhadoop.format.safetensors.header;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** The header of a safetensors file, which lists its tensors and their offsets. */
public final class SafetensorsHeader {
  /** Maximum length of a header in bytes, for reading and for writing (reference behavior). */
  public static final int MAX_HEADER_BYTES = 100_000_000;

  /** The only name that a tensor must not have (specification, "Format"). */
  public static final String METADATA = "__metadata__";

  private final HeaderFile file;
  private final IntColumn positions;
  private final int metadataAt;
  private final List<TensorInfo> tensors = new Tensors();
  private @Nullable Map<String, String> metadata;
  private volatile @Nullable NameIndex names;

  private SafetensorsHeader(HeaderFile file, IntColumn positions, int metadataAt) {
    this.file = file;
    this.positions = positions;
    this.metadataAt = metadataAt;
  }

  /** Reads a header with {@link HeaderStrictness#STRICT}. */
  public static SafetensorsHeader read(Input in) throws IOException {
    return read(in, HeaderStrictness.STRICT);
  }

  /**
   * Reads a header, in one read if the file has at most 16 KiB before the data and otherwise in
   * two, and checks that the tensors tile the file from the end of the header to the end of the
   * file. The tensor data is not read. The additional checks of {@link HeaderStrictness#STRICT}
   * follow all checks of the reference, so that a file that the reference rejects is reported with
   * the same kind of error. Memory use is the size of the header plus at most 30 bytes per tensor.
   *
   * @throws FormatException if the file is invalid; the message begins with a {@link
   *     SafetensorsError}, unless text in the header is {@link
   *     org.saevhadoop.format.io.FileError#TOO_LARGE}
   */
  public static SafetensorsHeader read(Input in, HeaderStrictness strictness) throws IOException {
    return of(HeaderFile.read(in), strictness);
  }

  /**
   * Parses a header that is already in memory, applying the checks of the reference from the fifth
   * onward.
   */
  public static SafetensorsHeader of(HeaderFile file, HeaderStrictness strictness)
      throws FormatException {
    LenientFinding finding = new LenientFinding();
    HeaderParser parser = new HeaderParser(file, finding);
    parser.parse(strictness);
    new HeaderLayout(file, parser.tensors()).check(finding);
    if (strictness == HeaderStrictness.STRICT) {
      finding.refuse(file);
    }
    parser.limits().check(file);
    return new SafetensorsHeader(file, parser.tensors().positions(), parser.metadata());
  }

  /**
   * Encodes the header that the reference writes for these tensors: in descending order of dtype,
   * then in UTF-8 order of name, padded with spaces to a multiple of 8 bytes. Unlike in the
   * reference, metadata is in UTF-8 order of its keys, so that equal input always gives equal
   * bytes.
   *
   * @param metadata the metadata; null for none, which differs from an empty map
   * @throws IllegalArgumentException if the result could not be read back: because of a duplicate
   *     name, the name {@link #METADATA}, text that UTF-8 cannot represent, a tensor that has 2^64
   *     bits or more or does not consist of whole bytes, a file of 2^63 bytes or more, or a header
   *     of more than {@link #MAX_HEADER_BYTES} bytes
   */
  public static EncodedHeader encode(
      List<TensorSpec> tensors, @Nullable Map<String, String> metadata) {
    return encode(tensors, metadata, HeaderEncoder.ALIGNMENT);
  }

  /**
   * Encodes a header like {@link #encode(List, Map)}, with more padding so that the data begins at
   * a multiple of more than 8 bytes, as memory maps (4096) or accelerators (64, 256) require. Only
   * the first tensor is guaranteed to have that alignment; the following tensors have it as long as
   * all sizes are multiples of it.
   *
   * @param alignment the alignment in bytes, a power of two from 8 to 2^20
   * @throws IllegalArgumentException under the conditions of {@link #encode(List, Map)}, or if the
   *     alignment is invalid
   */
  public static EncodedHeader encode(
      List<TensorSpec> tensors, @Nullable Map<String, String> metadata, int alignment) {
    return HeaderEncoder.encode(tensors, metadata, alignment);
  }

  /**
   * Encodes this header, which has metadata, with different metadata. The text of the tensors does
   * not change.
   *
   * @param alignment the alignment of the data in bytes, as for {@link #encode(List, Map, int)}
   */
  public ByteBuffer with(Map<String, String> others, int alignment) {
    int end = HeaderParser.metadataEnd(file, metadataAt);
    return HeaderEncoder.withMetadata(file.bytes(), metadataAt, end, others, alignment);
  }

  /** Returns the length of the header in bytes, including padding but not the 8 bytes before it. */
  public long headerBytes() {
    return file.bytes().length - HeaderFile.PREFIX;
  }

  /** Returns the offset in the file to which the tensor offsets are relative. */
  public long dataStart() {
    return file.bytes().length;
  }

  /** Returns the metadata of the file in stored order; null if it is absent or a JSON null. */
  public @Nullable Map<String, String> metadata() {
    if (metadata == null) {
      metadata = HeaderParser.metadata(file, metadataAt);
    }
    return metadata;
  }

  /** Returns all tensors in data order, without gaps. Elements are created on access. */
  public List<TensorInfo> tensors() {
    return tensors;
  }

  /** Returns the name of a tensor without reading its other fields. */
  public String name(int index) {
    return JsonString.decode(file.bytes(), positions.get(index));
  }

  /** Returns the tensor with the given name; empty if it is absent. */
  public Optional<TensorInfo> tensor(String name) {
    NameIndex index = names;
    if (index == null) {
      index = NameIndex.of(file.bytes(), positions);
      names = index;
    }
    int found = index.find(name);
    return found < 0 ? Optional.empty() : Optional.of(tensors.get(found));
  }

  private final class Tensors extends AbstractList<TensorInfo> implements RandomAccess {
    /** The tensor that was read last, by any thread. */
    private volatile @Nullable TensorEntry last;

    @Override
    public int size() {
      return positions.size();
    }

    @Override
    public TensorInfo get(int index) {
      Objects.checkIndex(index, size());
      int position = positions.get(index);
      TensorEntry entry = TensorEntry.again(file, position, Integer.MAX_VALUE, last);
      last = entry;
      return new TensorInfo(name(index), entry.dtype(), entry.shape(), entry.begin(), entry.end());
    }
  }
}
