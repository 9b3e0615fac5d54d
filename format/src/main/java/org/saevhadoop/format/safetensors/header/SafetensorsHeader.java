package org.saevhadoop.format.safetensors.header;

import java.io.IOException;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** The header of a safetensors file: what tensors it holds and where. */
public final class SafetensorsHeader {
  /** A longer header, in bytes, is neither read nor written (reference behaviour). */
  public static final int MAX_HEADER_BYTES = 100_000_000;

  /** The one name that no tensor can have (specification, "Format"). */
  public static final String METADATA = "__metadata__";

  private final HeaderFile file;
  private final IntColumn positions;
  private final NameIndex names;
  private final int metadataAt;
  private final List<TensorInfo> tensors = new Tensors();
  private Map<String, String> metadata;

  private SafetensorsHeader(HeaderFile file, IntColumn positions, NameIndex names, int metadataAt) {
    this.file = file;
    this.positions = positions;
    this.names = names;
    this.metadataAt = metadataAt;
  }

  /** Reads a header, {@link HeaderStrictness#STRICT}. */
  public static SafetensorsHeader read(Input in) throws IOException {
    return read(in, HeaderStrictness.STRICT);
  }

  /** Reads a header of unknown length: in one read up to 16 KiB, else in two. */
  public static SafetensorsHeader read(Input in, HeaderStrictness strictness) throws IOException {
    return read(in, strictness, HeaderFile.USUAL_BYTES);
  }

  /**
   * Reads a header and checks that the tensors tile the file from the header to its end. The
   * tensors' data is not read. Where strictness forbids what the reference accepts, that comes
   * after all of the reference's checks: a file that the reference refuses has the reference's kind
   * of error. The memory needed is the header's bytes and at most 30 bytes a tensor.
   *
   * @param expectedHeaderBytes the header's length, if an index tells it: then one read is enough.
   *     It may be wrong
   * @throws FormatException whose problem begins with a {@link SafetensorsError}
   */
  public static SafetensorsHeader read(
      Input in, HeaderStrictness strictness, long expectedHeaderBytes) throws IOException {
    return of(HeaderFile.read(in, expectedHeaderBytes), strictness);
  }

  /** The header of which the bytes are there already; the reference's checks from the fifth on. */
  public static SafetensorsHeader of(HeaderFile file, HeaderStrictness strictness)
      throws FormatException {
    LenientFinding oddity = new LenientFinding();
    HeaderParser parser = new HeaderParser(file, oddity);
    parser.parse(strictness);
    NameIndex names = new HeaderLayout(file, parser.tensors()).check(oddity);
    if (strictness == HeaderStrictness.STRICT) {
      oddity.refuse(file);
    }
    return new SafetensorsHeader(file, parser.tensors().positions(), names, parser.metadata());
  }

  /**
   * The header that the reference writes for these tensors: by dtype in descending order, then by
   * name in UTF-8 order, padded with blanks to 8 bytes. Unlike the reference's, metadata is in
   * UTF-8 order of its keys, so that the same input always gives the same bytes.
   *
   * @param metadata null for none, which is not the same as an empty map
   * @throws IllegalArgumentException for what could not be read back: a name that comes twice or is
   *     {@link #METADATA}, text that UTF-8 cannot hold, a tensor of 2^64 bits or more or not of
   *     whole bytes, a file of 2^63 bytes or more, a header over {@link #MAX_HEADER_BYTES}
   */
  public static EncodedHeader encode(List<TensorSpec> tensors, Map<String, String> metadata) {
    return encode(tensors, metadata, HeaderEncoder.ALIGNMENT);
  }

  /**
   * As {@link #encode(List, Map)}, with more blanks where the data is to begin at a multiple of
   * more than 8 bytes, as memory maps (4096) or accelerators (64, 256) want it. Only the first
   * tensor has that alignment, and those after it as long as sizes are multiples of it.
   *
   * @param alignment in bytes, a power of two from 8 to 2^20
   * @throws IllegalArgumentException also for another alignment
   */
  public static EncodedHeader encode(
      List<TensorSpec> tensors, Map<String, String> metadata, int alignment) {
    return HeaderEncoder.encode(tensors, metadata, alignment);
  }

  /** The header's length in bytes with its padding, without the 8 bytes before it. */
  public long headerBytes() {
    return file.bytes().length - HeaderFile.PREFIX;
  }

  /** The byte of the file from which tensor offsets count. */
  public long dataStart() {
    return file.bytes().length;
  }

  /** The file's own metadata in its order; null where it has none or a JSON null. */
  public Map<String, String> metadata() {
    if (metadata == null) {
      metadata = HeaderParser.metadata(file, metadataAt);
    }
    return metadata;
  }

  /** All tensors in data order, without gaps. Each is made when it is asked for. */
  public List<TensorInfo> tensors() {
    return tensors;
  }

  /** The tensor of a name. */
  public Optional<TensorInfo> tensor(String name) {
    int index = names.find(name);
    return index < 0 ? Optional.empty() : Optional.of(tensors.get(index));
  }

  private final class Tensors extends AbstractList<TensorInfo> implements RandomAccess {
    @Override
    public int size() {
      return positions.size();
    }

    @Override
    public TensorInfo get(int index) {
      Objects.checkIndex(index, size());
      int position = positions.get(index);
      TensorEntry entry = TensorEntry.again(file, position, Integer.MAX_VALUE);
      String name = JsonString.decode(file.bytes(), position);
      return new TensorInfo(name, entry.dtype(), entry.shape(), entry.begin(), entry.end());
    }
  }
}
