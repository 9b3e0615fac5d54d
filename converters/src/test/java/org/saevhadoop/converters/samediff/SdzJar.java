package org.saevhadoop.converters.samediff;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.saevhadoop.converters.cluster.JarLibrariesIT;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.LocalFile;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.samediff.container.SdzFile;
import org.saevhadoop.format.zip.ArchiveEntry;
import org.saevhadoop.format.zip.ZipArchive;
import org.saevhadoop.format.zip.ZipWriter;

/** Writes and reads an SDZ file, for {@link JarLibrariesIT}. */
public final class SdzJar {
  private SdzJar() {}

  /** Takes the path of the file. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    byte[] data = new byte[100_000];
    try (ZipWriter writer = new ZipWriter(LocalFile.create(file), 6, SdzFile.NAMES)) {
      try (Output entry = writer.stored("model.shard0-of-2.sdnb", 0, 0)) {
        entry.write(ByteBuffer.allocate(0));
      }
      try (Output entry = writer.deflated("model.shard1-of-2.sdnb", data.length)) {
        entry.write(ByteBuffer.wrap(data));
      }
    }
    int count = 0;
    try (ZipArchive sdz = SdzFile.open(LocalFile.open(file))) {
      ByteBuffer dst = ByteBuffer.allocate(1000);
      for (ArchiveEntry entry : sdz.entries()) {
        try (ByteSource source = sdz.read(entry)) {
          for (int read = 0; read >= 0; read = source.read(dst.clear())) {
            count += read;
          }
        }
      }
    }
    if (count != data.length) {
      throw new AssertionError(count + " bytes");
    }
  }
}
