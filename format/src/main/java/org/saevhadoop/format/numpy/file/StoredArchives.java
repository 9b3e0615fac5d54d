package org.saevhadoop.format.numpy.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.ForwardingFolder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.numpy.header.NpyError;
import org.saevhadoop.format.numpy.header.NpyHeader;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.ZipArchive;
import org.saevhadoop.format.zip.ZipWriter;

/**
 * A folder of .npz files whose entries are compressed, read from copies whose entries are stored.
 * All names are those of the folder itself.
 */
public final class StoredArchives extends ForwardingFolder {
  private static final int COPY_BYTES = 1 << 20;

  /** More than the header of any array that is read. */
  private static final int HEADER_BYTES = 1 << 17;

  private final Folder copies;
  private final Map<String, String> names;
  private final String prefix;

  /**
   * Wraps a folder.
   *
   * @param copies the folder that contains the copies
   * @param names the names of the copies by the paths of the files, relative to the folder
   */
  public StoredArchives(Folder folder, Folder copies, Map<String, String> names) {
    this(folder, copies, Map.copyOf(names), "");
  }

  private StoredArchives(Folder folder, Folder copies, Map<String, String> names, String prefix) {
    super(folder);
    this.copies = copies;
    this.names = names;
    this.prefix = prefix;
  }

  @Override
  public Optional<Folder> folder(String name) throws IOException {
    return folder()
        .folder(name)
        .map(below -> new StoredArchives(below, copies, names, prefix + name + "/"));
  }

  @Override
  public Input open(String name) throws IOException {
    String copy = names.get(prefix + name);
    return copy == null ? folder().open(name) : copies.open(copy);
  }

  /** Returns whether a .npz file has a compressed array. */
  public static boolean isNeeded(Folder folder, String npz) throws IOException {
    try (ZipArchive archive = ZipArchive.open(folder.open(npz), ArrayArchive.NAMES)) {
      return ArrayArchive.isCompressed(archive);
    }
  }

  /**
   * Copies an archive. Entries that are left out when it is read are copied as far as is needed to
   * report them.
   *
   * @param npz the archive, which is closed afterwards
   * @throws FormatException if a header, a size or a CRC-32 is wrong
   */
  public static void copy(Input npz, Folder copies, String name) throws IOException {
    try (ZipArchive archive = ZipArchive.open(npz, ArrayArchive.NAMES);
        ZipWriter copy = new ZipWriter(copies.create(name), 0, ArrayArchive.NAMES)) {
      for (ArchiveEntry entry : archive.entries()) {
        if (!ArrayArchive.isArray(entry)) {
          write(copy, entry, new byte[0]);
        } else if (isPlain(npz, entry)) {
          copy(npz, entry, copy);
        } else {
          write(copy, entry, head(npz, entry));
        }
      }
    }
  }

  /** Returns whether an array is numbers or strings, whose size is known. */
  private static boolean isPlain(Input npz, ArchiveEntry entry) throws IOException {
    try (Input npy = new EntryHead(npz, entry)) {
      NpyHeader header = NpyHeader.read(npy);
      ArrayArchive.checkEnd(npy, entry, entry.size() - header.dataOffset() - header.length());
      return true;
    } catch (FormatException e) {
      if (e.kind() == NpyError.UNSUPPORTED) {
        return false;
      }
      throw e;
    }
  }

  private static void copy(Input npz, ArchiveEntry entry, ZipWriter copy) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    try (ByteSource data = entry.read(npz);
        Output out = copy.stored(entry.name(), entry.size(), entry.crc())) {
      while (data.read(buffer.clear()) >= 0) {
        out.write(buffer.flip());
      }
    }
  }

  private static byte[] head(Input npz, ArchiveEntry entry) throws IOException {
    byte[] head = new byte[(int) Math.min(HEADER_BYTES, entry.size())];
    try (Input npy = new EntryHead(npz, entry)) {
      npy.readFully(0, ByteBuffer.wrap(head));
    }
    return head;
  }

  private static void write(ZipWriter copy, ArchiveEntry entry, byte[] data) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(data);
    try (Output out = copy.stored(entry.name(), data.length, crc.getValue())) {
      out.write(ByteBuffer.wrap(data));
    }
  }
}
