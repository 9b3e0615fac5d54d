package org.saevhadoop.format.samediff.container;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.SectionInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.gather.StridedReader;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Location;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.samediff.sdnb.SdnbFile;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.OtherVariable;
import org.saevhadoop.format.samediff.sdnb.SdnbFile.UnreadableArray;
import org.saevhadoop.format.samediff.sdnb.StoredArray;
import org.saevhadoop.format.samediff.sdnb.StoredArray.MemoryOrder;
import org.saevhadoop.format.samediff.sdnb.VariableKind;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * The arrays of a SameDiff container: a single SDNB file, the shards of one, or an SDZ file.
 * Opening it reads the descriptions of all arrays but no values.
 *
 * @param path the path of the file or folder
 * @param folder the folder that contains the files
 * @param parts the SDNB files; if there are several, the first one is the graph
 * @param arrays the arrays, in the order of the graph
 * @param unreadable the arrays whose values cannot be read
 * @param placeholders the variables that have no values by design
 * @param metadata the metadata entries of the graph
 * @param warnings findings for the user
 */
public record SameDiffContainer(
    String path,
    Folder folder,
    List<ContainerPart> parts,
    List<ContainerArray> arrays,
    List<Unreadable> unreadable,
    List<OtherVariable> placeholders,
    SortedMap<String, String> metadata,
    List<String> warnings) {
  private static final int MAX_NAME = 100;

  /** An array whose values cannot be read, and the path of the file that contains its SDNB file. */
  public record Unreadable(ContainerPart part, String path, UnreadableArray array) {
    /** Returns the name of the variable. */
    public String name() {
      return array.name();
    }

    /** Returns the error for a request to read the values. */
    public FormatException error() {
      return array.error(path);
    }
  }

  /**
   * Opens the container at a location.
   *
   * @throws FormatException if there is no container, or it is malformed
   */
  public static SameDiffContainer read(Location location) throws IOException {
    return of(location.path(), location.folder(), ContainerFiles.find(location));
  }

  /** Returns the SDNB files of the container at a location, without reading them. */
  public static List<ContainerPart> parts(Location location) throws IOException {
    return ContainerFiles.find(location);
  }

  /**
   * Opens a container whose files are known.
   *
   * @param path the path of the container, for messages
   * @param parts the SDNB files; if there are several, the first one is the graph
   */
  public static SameDiffContainer of(String path, Folder folder, List<ContainerPart> parts)
      throws IOException {
    SdnbFile graph = read(folder, parts.get(0));
    Merge merge = new Merge(path, graph, parts.size() > 1);
    merge.add(folder, parts.get(0), graph);
    for (ContainerPart part : parts.subList(1, parts.size())) {
      merge.add(folder, part, read(folder, part));
    }
    return merge.container(folder, parts);
  }

  private static SdnbFile read(Folder folder, ContainerPart part) throws IOException {
    try (Input file = open(folder, part)) {
      return SdnbFile.read(file);
    }
  }

  private static Input open(Folder folder, ContainerPart part) throws IOException {
    Input file = folder.open(part.file());
    try {
      ArchiveEntry entry = part.entry();
      return entry != null && !entry.stored()
          ? new InflatedInput(file, entry)
          : new SectionInput(file, part.offset(), part.length());
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Returns a reader of the values of one array after another, in C order and little-endian. */
  public StridedReader<ContainerPart> reader() {
    return new StridedReader<>(this::open);
  }

  /** Opens an SDNB file of the container; positions are relative to its beginning. */
  public Input open(ContainerPart part) throws IOException {
    return part.entry() == null || part.isDeflated()
        ? open(folder, part)
        : new SectionInput(
            new CheckedInput(folder.open(part.file()), List.of(part), arrays),
            part.offset(),
            part.length());
  }

  /**
   * Opens a file in the folder of the container. Closing an SDZ file checks the CRC-32 of each
   * stored entry that was read as a whole.
   */
  public Input open(String file) throws IOException {
    List<ContainerPart> stored =
        parts.stream()
            .filter(part -> part.file().equals(file))
            .filter(part -> part.entry() != null && !part.isDeflated())
            .toList();
    Input opened = folder.open(file);
    return stored.isEmpty() ? opened : new CheckedInput(opened, stored, arrays);
  }

  /** Opens the container as one file: the SDZ file, or the SDNB files one after another. */
  Input open() throws IOException {
    requireStored();
    return parts.size() == 1 || parts.get(0).entry() != null
        ? open(parts.get(0).file())
        : new GatheredInput<>(
            path,
            this::open,
            parts.stream()
                .map(part -> new StoredElements<>(part, StridedLayout.contiguous(0, part.length())))
                .toList());
  }

  /** Returns the offset of the first byte of an array in the container opened as one file. */
  public long offset(ContainerArray array) {
    long before = 0;
    for (int i = 0; array.part().entry() == null && !parts.get(i).equals(array.part()); i++) {
      before += parts.get(i).length();
    }
    return before + array.fileOffset();
  }

  /** Returns whether any SDNB file is compressed. */
  public boolean isDeflated() {
    return parts.stream().anyMatch(ContainerPart::isDeflated);
  }

  /**
   * Checks that values can be read at any position.
   *
   * @throws FormatException if any SDNB file is compressed
   */
  public void requireStored() throws FormatException {
    ContainerError.COMPRESSED.check(
        !isDeflated(),
        path,
        "has compressed entries, which must be staged before random access (expected stored ones)");
  }

  /**
   * Returns the array with the given name, if there is one.
   *
   * @throws FormatException if its values cannot be read
   */
  public Optional<ContainerArray> array(String name) throws FormatException {
    for (Unreadable array : unreadable) {
      if (array.name().equals(name)) {
        throw array.error();
      }
    }
    return arrays.stream().filter(array -> array.name().equals(name)).findFirst();
  }

  /** Merges the contents of SDNB files, which must all agree with the first one. */
  private static final class Merge {
    private final String path;
    private final boolean sharded;
    private final Map<String, ContainerArray> arrays = new HashMap<>();
    private final Map<String, Unreadable> unreadable = new LinkedHashMap<>();
    private final Map<String, OtherVariable> listed = new HashMap<>();
    private final List<OtherVariable> placeholders = new ArrayList<>();
    private final Set<String> order = new LinkedHashSet<>();
    private final Set<String> unread = new LinkedHashSet<>();
    private final SortedMap<String, String> metadata;

    Merge(String path, SdnbFile graph, boolean sharded) {
      this.path = path;
      this.sharded = sharded;
      this.metadata = graph.metadata();
      for (OtherVariable variable : graph.others()) {
        if (variable.kind() == VariableKind.PLACEHOLDER) {
          placeholders.add(variable);
        } else {
          listed.put(variable.name(), variable);
        }
      }
      graph.arrays().forEach(array -> order.add(array.name()));
      graph.unreadable().forEach(array -> order.add(array.name()));
      graph.others().forEach(variable -> order.add(variable.name()));
    }

    void add(Folder folder, ContainerPart part, SdnbFile file) throws FormatException {
      unread.addAll(file.unread());
      String path = folder.path(part.file());
      for (StoredArray array : file.arrays()) {
        checkName(path, array.name());
        arrays.put(array.name(), new ContainerArray(part, array));
        checkListed(path, array);
      }
      for (UnreadableArray array : file.unreadable()) {
        checkName(path, array.name());
        unreadable.put(array.name(), new Unreadable(part, path, array));
      }
    }

    private void checkName(String path, String name) throws FormatException {
      ContainerError.SHARDS_DISAGREE.check(
          !arrays.containsKey(name) && !unreadable.containsKey(name),
          path,
          "has array %s, which another shard also has",
          Quote.show(name, MAX_NAME));
      ContainerError.SHARDS_DISAGREE.check(
          order.contains(name),
          path,
          "has array %s, which the graph does not list",
          Quote.show(name, MAX_NAME));
    }

    private void checkListed(String path, StoredArray array) throws FormatException {
      OtherVariable variable = listed.get(array.name());
      if (variable != null
          && (variable.type() != null && variable.type() != array.type()
              || variable.shape() != null && !variable.shape().equals(array.shape()))) {
        throw ContainerError.SHARDS_DISAGREE.in(
            path,
            "has array %s as %s %s (expected %s %s, as in the graph)",
            Quote.show(array.name(), MAX_NAME),
            array.type(),
            array.shape(),
            variable.type(),
            variable.shape());
      }
    }

    SameDiffContainer container(Folder folder, List<ContainerPart> parts) {
      List<ContainerArray> ordered =
          order.stream().filter(arrays::containsKey).map(arrays::get).toList();
      return new SameDiffContainer(
          path,
          folder,
          parts,
          ordered,
          List.copyOf(unreadable.values()),
          placeholders,
          metadata,
          warnings());
    }

    private List<String> warnings() {
      List<String> warnings = new ArrayList<>();
      Set<String> absent = new HashSet<>();
      for (OtherVariable variable : listed.values()) {
        boolean stored =
            variable.kind() == VariableKind.VARIABLE || variable.kind() == VariableKind.CONSTANT;
        boolean found =
            arrays.containsKey(variable.name()) || unreadable.containsKey(variable.name());
        if (stored && !found) {
          absent.add(variable.name());
        }
      }
      if (!absent.isEmpty()) {
        warnings.add(
            "%d variables have no values%s: %s"
                .formatted(absent.size(), sharded ? " in any shard" : "", show(absent)));
      }
      if (!unreadable.isEmpty()) {
        warnings.add(
            Quote.sentence(
                "%d arrays cannot be read: %s", unreadable.size(), show(unreadable.keySet())));
      }
      if (!unread.isEmpty()) {
        warnings.add("arrays alone are read, not " + String.join(", ", unread));
      }
      Set<String> unordered =
          arrays.values().stream()
              .filter(array -> array.array().order() == MemoryOrder.UNKNOWN)
              .filter(array -> array.array().shape().size() > 1)
              .map(ContainerArray::name)
              .collect(Collectors.toSet());
      if (!unordered.isEmpty()) {
        warnings.add(
            Quote.sentence(
                "the order of %d arrays is not recorded, c is assumed: %s",
                unordered.size(), show(unordered)));
      }
      return warnings;
    }

    private static String show(Set<String> names) {
      return names.stream()
          .sorted()
          .limit(3)
          .map(name -> Quote.show(name, MAX_NAME))
          .collect(Collectors.joining(", ", "", names.size() > 3 ? ", ..." : ""));
    }
  }
}
