package org.saevhadoop.jobs.merge;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.saevhadoop.format.dataset.write.CopiedFile;
import org.saevhadoop.format.io.Sha256;

/** Files that a job copies; their list is stored as deflated text. */
record CopiedFiles(List<CopiedFile> list) {
  /** The total size in bytes at which a task stops receiving files. */
  private static final long TASK_BYTES = 128L << 20;

  /** The maximum number of files per task: creating a file takes longer than copying a few KiB. */
  private static final int TASK_FILES = 1000;

  /**
   * The work of a task: consecutive files.
   *
   * @param bytes the number of bytes that are copied
   */
  record TaskWork(int first, int count, long bytes) {}

  CopiedFiles {
    list = List.copyOf(list);
  }

  long bytes() {
    return list.stream().mapToLong(CopiedFile::bytes).sum();
  }

  long length() {
    return list.stream().mapToLong(CopiedFile::length).sum();
  }

  /** Returns the files that a folder does not contain with their planned lengths. */
  CopiedFiles missing(SortedMap<String, Long> there) {
    return new CopiedFiles(
        list.stream().filter(file -> there.getOrDefault(file.to(), -1L) != file.length()).toList());
  }

  List<TaskWork> tasks() {
    List<TaskWork> tasks = new ArrayList<>();
    int first = 0;
    long bytes = 0;
    for (int i = 0; i < list.size(); i++) {
      bytes += list.get(i).bytes();
      int count = i + 1 - first;
      if (bytes >= TASK_BYTES || count == TASK_FILES || i == list.size() - 1) {
        tasks.add(new TaskWork(first, count, bytes));
        first = i + 1;
        bytes = 0;
      }
    }
    return tasks;
  }

  String text() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeInt(list.size());
      for (CopiedFile file : list) {
        out.writeInt(file.source());
        out.writeUTF(file.from());
        out.writeUTF(file.to());
        out.writeUTF(file.head());
        out.writeLong(file.skip());
        out.writeLong(file.bytes());
        out.writeLong(file.length());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e); // writing to memory does not fail
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /** Returns the SHA-256 of the list of files, in hexadecimal. */
  String hash() {
    byte[] text = text().getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(Sha256.digest().digest(text));
  }

  static CopiedFiles parse(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    try (DataInputStream in =
        new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
      List<CopiedFile> list = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        list.add(
            new CopiedFile(
                in.readInt(),
                in.readUTF(),
                in.readUTF(),
                in.readUTF(),
                in.readLong(),
                in.readLong(),
                in.readLong()));
      }
      return new CopiedFiles(list);
    } catch (IOException e) {
      throw new IllegalArgumentException("it is not deflated", e);
    }
  }
}
