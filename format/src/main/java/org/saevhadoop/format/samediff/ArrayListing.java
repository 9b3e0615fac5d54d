package org.saevhadoop.format.samediff;

import java.io.IOException;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.gather.StridedReader;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.samediff.container.ContainerArray;
import org.saevhadoop.format.samediff.container.ContainerPart;
import org.saevhadoop.format.samediff.container.SameDiffContainer;
import org.saevhadoop.format.samediff.container.SameDiffContainer.Unreadable;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.OtherVariable;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.UnreadableArray;
import org.saevhadoop.format.samediff.sdnb.SdnbType;
import org.saevhadoop.format.samediff.sdnb.StoredArray.MemoryOrder;
import org.saevhadoop.format.spi.TensorListing;
import org.saevhadoop.format.tensor.DType;

/** The arrays of a container, followed by its unreadable arrays and its placeholders. */
record ArrayListing(SameDiffContainer container, @Nullable Geometry activations, boolean digests)
    implements TensorListing {
  @Override
  public String title() {
    return "arrays";
  }

  @Override
  public long count() {
    return container.arrays().size()
        + container.unreadable().size()
        + container.placeholders().size();
  }

  @Override
  public long bytes() throws IOException {
    Map<String, Long> lengths = container.folder().files();
    return container.parts().stream()
        .map(ContainerPart::file)
        .distinct()
        .mapToLong(lengths::get)
        .sum();
  }

  @Override
  public void forEach(Io.Consumer<Item> visitor) throws IOException {
    Map<String, String> known = new HashMap<>();
    try (StridedReader<ContainerPart> reader = container.reader()) {
      if (digests && container.isDeflated()) {
        // compressed files are best read from beginning to end
        List<ContainerArray> stored =
            container.arrays().stream()
                .sorted(Comparator.comparing(array -> array.array().offset()))
                .sorted(Comparator.comparing(array -> container.parts().indexOf(array.part())))
                .toList();
        for (ContainerArray array : stored) {
          known.put(array.name(), sha256(array, reader));
        }
      }
      for (ContainerArray array : container.arrays()) {
        String digest = known.get(array.name());
        visitor.accept(item(array, digests && digest == null ? sha256(array, reader) : digest));
      }
    }
    for (Unreadable array : container.unreadable()) {
      visitor.accept(item(array));
    }
    for (OtherVariable placeholder : container.placeholders()) {
      visitor.accept(item(placeholder));
    }
  }

  private static String sha256(ContainerArray array, StridedReader<ContainerPart> reader)
      throws IOException {
    return Sha256.of(
        array.array().length(), (offset, dst) -> reader.read(array.stored(), offset, dst));
  }

  private Item item(ContainerArray array, @Nullable String digest) {
    return new Item(
        array.name(),
        array.array().kind().name(),
        dtype(array.array().type(), array.array().type().name()),
        array.array().type().name(),
        shape(array.array().shape()),
        order(array.array().order()),
        array.array().length(),
        null,
        file(array.part()),
        digest,
        array.array().isEmptyScalar() ? "empty" : null);
  }

  private Item item(Unreadable unreadable) {
    UnreadableArray array = unreadable.array();
    return new Item(
        array.name(),
        array.kind().name(),
        dtype(array.type(), array.typeName()),
        array.typeName(),
        shape(array.shape()),
        order(array.order()),
        null,
        null,
        file(unreadable.part()),
        null,
        "cannot be read: " + array.obstacle());
  }

  /** Returns the numpy name of a type, or its own name in lower case if numpy has no such type. */
  private static String dtype(@Nullable SdnbType type, String name) {
    return Optional.ofNullable(type)
        .flatMap(SdnbType::dtype)
        .map(DType::numpyName)
        .orElse(name.toLowerCase(Locale.ROOT));
  }

  private @Nullable String file(ContainerPart part) {
    return container.parts().size() == 1 ? null : part.name();
  }

  private static String order(MemoryOrder order) {
    return order == MemoryOrder.F ? "f" : "c";
  }

  private static List<BigInteger> shape(List<Long> shape) {
    return shape.stream().map(size -> size == -1 ? Item.UNKNOWN_SIZE : Item.size(size)).toList();
  }

  private static Item item(OtherVariable placeholder) {
    return new Item(
        placeholder.name(),
        placeholder.kind().name(),
        placeholder.type() == null
            ? "unknown"
            : dtype(placeholder.type(), placeholder.type().name()),
        placeholder.type() == null ? null : placeholder.type().name(),
        placeholder.shape() == null ? List.of() : shape(placeholder.shape()),
        null,
        null,
        null,
        null,
        null,
        null);
  }

  @Override
  public Map<String, String> metadata() {
    return container.metadata();
  }

  @Override
  public List<String> warnings() {
    return container.warnings();
  }
}
