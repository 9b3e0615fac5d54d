package org.saevhadoop.format.torch.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.ArrayFiles;
import org.saevhadoop.format.arrays.file.ArrayReader;
import org.saevhadoop.format.arrays.file.FileHead;
import org.saevhadoop.format.arrays.pickled.ListedIntegers;
import org.saevhadoop.format.arrays.pickled.PickledContent;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.kind.FileKind;
import org.saevhadoop.format.pickle.read.PickleReader;
import org.saevhadoop.format.pickle.value.NoPayloads;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.EntryNames;
import org.saevhadoop.format.zip.ZipArchive;

/** Reads files written by torch.save. Tensors are read in place. */
public final class TorchReader implements ArrayReader {
  /**
   * The names that entries may have: up to 512 bytes, as in torch's own ZIP reader
   * (MZ_ZIP_MAX_ARCHIVE_FILENAME_SIZE).
   */
  private static final EntryNames NAMES = new EntryNames(512, true);

  private static final Set<String> ENDINGS = Set.of("pt", "pth", "ckpt", "bin");

  /** Kinds of files that begin like a ZIP archive. */
  private static final Set<FileKind> ZIP_KINDS =
      Set.of(FileKind.TORCH, FileKind.ZIP, FileKind.NUMPY_ARCHIVE);

  /**
   * A number of bytes sufficient for the pickle of a few tensors, which torch.save writes first.
   */
  private static final int HEAD_BYTES = 1 << 14;

  private static final int MAX_BYTE_ORDER = 16;
  private static final int MAX_SHOWN = 100;

  /**
   * Returns true: after {@code torch.serialization.set_crc32_options(False)} (torch 2.6),
   * torch.save writes other numbers in place of the CRC-32s.
   */
  @Override
  public boolean mayLackChecksums() {
    return true;
  }

  @Override
  public boolean isNamed(String file) {
    return ENDINGS.contains(file.substring(file.lastIndexOf('.') + 1)) && file.indexOf('.') >= 0;
  }

  /**
   * Returns the files with a torch extension; if there are none, the files that are named like
   * pickles, which torch.save may have written.
   */
  @Override
  public List<String> named(Collection<String> files) {
    List<String> named = ArrayReader.super.named(files);
    return named.isEmpty() ? files.stream().filter(TorchReader::isPickle).toList() : named;
  }

  private static boolean isPickle(String file) {
    return file.endsWith(".pkl") || file.endsWith(".pickle");
  }

  @Override
  public ArrayFile read(Folder folder, String file) throws IOException {
    Input in = new FileHead(folder.open(file), HEAD_BYTES);
    try (ZipArchive archive = open(in)) {
      Pickled pickled = unpickled(in.path(), archive);
      ArrayFile content =
          PickledContent.withLists(in.path(), pickled.objects, pickled.root, in.length());
      List<String> warnings = new ArrayList<>(content.warnings());
      Stream.ofNullable(pickled.mismatch).forEach(warnings::add);
      return new ArrayFile(content.arrays(), content.values(), content.entries(), warnings);
    }
  }

  @Override
  public Input elements(Folder folder, String path, String array) throws IOException {
    return ListedIntegers.behind(ArrayFiles.open(folder, path), TorchReader::lists);
  }

  private static ListedIntegers lists(Input file) throws IOException {
    Pickled pickled = unpickled(file.path(), open(file));
    return PickledContent.lists(file.path(), pickled.objects, pickled.root, file.length());
  }

  /**
   * The content of a file.
   *
   * @param mismatch a warning that the checksum of the pickle is wrong; null if it is correct
   */
  private record Pickled(TorchObjects objects, @Nullable Object root, @Nullable String mismatch) {}

  private static ZipArchive open(Input in) throws IOException {
    try {
      Optional<FileKind> kind = FileKind.of(in);
      TorchError.LEGACY.check(
          kind.isEmpty() || kind.get() != FileKind.TORCH_LEGACY,
          in.path(),
          "is in the legacy form of torch.save, whose tensors cannot be read in place (expected the"
              + " ZIP form: load the file with torch.load and write it with torch.save)");
      if (kind.isEmpty() || !ZIP_KINDS.contains(kind.get())) {
        throw TorchError.NOT_TORCH.in(
            in.path(), "is not a file that torch.save wrote%s", FileKind.hint(in));
      }
    } catch (IOException | RuntimeException e) {
      try (in) {
        throw e;
      }
    }
    return ZipArchive.open(in, NAMES);
  }

  private static Pickled unpickled(String path, ZipArchive archive) throws IOException {
    String prefix = prefix(path, archive.entries());
    Map<String, ArchiveEntry> entries = new LinkedHashMap<>();
    archive.entries().forEach(entry -> entries.put(entry.name(), entry));
    TorchError.TORCH_SCRIPT.check(
        entries.keySet().stream().noneMatch(name -> isCode(name.substring(prefix.length()))),
        path,
        "is a TorchScript archive, which contains a program (expected tensors that torch.save"
            + " wrote)");
    ArchiveEntry pickle = entries.get(prefix + "data.pkl");
    if (pickle == null) {
      throw TorchError.NOT_TORCH.in(
          path,
          "contains no entry \"%sdata.pkl\" (expected a file that torch.save wrote)",
          Quote.show(prefix, MAX_SHOWN));
    }
    boolean bigEndian = isBigEndian(path, archive, entries.get(prefix + "byteorder"));
    TorchGlobals globals = new TorchGlobals(path, prefix, entries);
    UncheckedEntry source = open(archive, path, pickle);
    Object root = PickleReader.read(source, new NoPayloads(), PickledContent.LIMITS, globals);
    return new Pickled(new TorchObjects(bigEndian), root, source.mismatch());
  }

  /** Returns the folder that contains all entries, with a trailing slash. */
  private static String prefix(String path, List<ArchiveEntry> entries) throws FormatException {
    String first = entries.isEmpty() ? "" : entries.get(0).name();
    String prefix = first.substring(0, first.indexOf('/') + 1);
    TorchError.NOT_TORCH.check(
        !prefix.isEmpty() && entries.stream().allMatch(entry -> entry.name().startsWith(prefix)),
        path,
        "is a ZIP archive whose entries are not in one folder (expected a file that torch.save"
            + " wrote)");
    return prefix;
  }

  /** Returns whether torch.jit.save, but not torch.save, writes an entry with this name. */
  private static boolean isCode(String name) {
    return name.equals("constants.pkl") || name.startsWith("code/");
  }

  /**
   * Returns whether values are big-endian. Before torch 2.1, the byte order was not recorded; this
   * reader then assumes little-endian, the byte order of all platforms that torch supports.
   */
  private static boolean isBigEndian(String path, ZipArchive archive, @Nullable ArchiveEntry entry)
      throws IOException {
    if (entry == null) {
      return false;
    }
    ByteBuffer text = ByteBuffer.allocate(MAX_BYTE_ORDER);
    open(archive, path, entry).read(text);
    String order = new String(text.array(), 0, text.position(), StandardCharsets.ISO_8859_1);
    TorchError.BAD_BYTE_ORDER.check(
        order.equals("little") || order.equals("big"),
        path,
        "has the byte order \"%s\" (expected little or big)",
        Quote.show(order));
    return order.equals("big");
  }

  private static UncheckedEntry open(ZipArchive archive, String path, ArchiveEntry entry)
      throws FormatException {
    TorchGlobals.checkStored(path, entry);
    return new UncheckedEntry(archive.read(entry));
  }
}
