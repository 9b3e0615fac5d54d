package org.saevhadoop.format.safetensors;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;

/** The header of a safetensors file: what tensors it holds and where. */
public final class SafetensorsHeader {
  /** A longer header, in bytes, is neither read nor written (reference behaviour). */
  public static final int MAX_HEADER_BYTES = 100_000_000;

  /** The one name that no tensor can have (specification, "Format"). */
  public static final String METADATA = "__metadata__";

  private final long headerBytes;
  private final Map<String, String> metadata;
  private final List<Tensor> tensors;
  private final Map<String, Tensor> byName;

  private SafetensorsHeader(
      long headerBytes,
      Map<String, String> metadata,
      List<Tensor> tensors,
      Map<String, Tensor> byName) {
    this.headerBytes = headerBytes;
    this.metadata = metadata;
    this.tensors = tensors;
    this.byName = byName;
  }

  /**
   * Reads a header and accepts exactly what the reference accepts, in particular that the tensors
   * tile the file from the header to its end. The tensors' data is not read.
   *
   * @throws FormatException whose problem begins with a {@link SafetensorsError}
   */
  public static SafetensorsHeader read(Input in) throws IOException {
    HeaderFile file = HeaderFile.read(in);
    HeaderParser parser = new HeaderParser(file);
    parser.parse();
    List<Tensor> tensors = new HeaderLayout(file).check(parser.tensors().values());
    return new SafetensorsHeader(file.json().length, parser.metadata(), tensors, parser.tensors());
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
    return HeaderEncoder.encode(tensors, metadata);
  }

  /** The header's length in bytes with its padding, without the 8 bytes before it. */
  public long headerBytes() {
    return headerBytes;
  }

  /** The byte of the file from which tensor offsets count. */
  public long dataStart() {
    return HeaderFile.PREFIX + headerBytes;
  }

  /** The file's own metadata in its order; null where it has none or a JSON null. */
  public Map<String, String> metadata() {
    return metadata;
  }

  /** All tensors in data order, without gaps. */
  public List<Tensor> tensors() {
    return tensors;
  }

  /** The tensor of a name. */
  public Optional<Tensor> tensor(String name) {
    return Optional.ofNullable(byName.get(name));
  }
}
