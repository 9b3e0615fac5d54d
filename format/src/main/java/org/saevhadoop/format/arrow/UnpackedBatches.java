package org.saevhadoop.format.arrow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.arrow.file.ArrowReader;
import org.saevhadoop.format.entries.EntryContent;
import org.saevhadoop.format.gather.BufferInput;
import org.saevhadoop.format.gather.GatheredInput;
import org.saevhadoop.format.gather.StoredElements;
import org.saevhadoop.format.gather.StridedLayout;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.json.Jackson;

/**
 * The content of the compressed buffers of consecutive record batches of a file.
 *
 * @param file the path of the Arrow file, relative to the folder of the dataset
 * @param length the length of that file in bytes
 * @param data the name of the file with the content
 * @param offset the position of the content in that file, in bytes
 * @param bytes the length of the content; 0 if the batches are not compressed
 */
record UnpackedBatches(String file, long length, String data, long offset, long bytes) {
  private static final String DATA = "batches-%05d";
  private static final String DOCUMENT = "unpacked-%05d";

  /** The names for the Arrow file and its tail among the files with content. */
  private static final String WHOLE = "";

  private static final String TAIL = "tail";

  /** Arrow files that are followed by the content of their compressed buffers. */
  static final EntryContent<UnpackedBatches> CONTENT =
      new EntryContent<>() {
        @Override
        public List<UnpackedBatches> read(Folder staged, int part) throws IOException {
          return Jackson.read(staged, DOCUMENT.formatted(part), Part.class).batches();
        }

        @Override
        public String file(UnpackedBatches batches) {
          return batches.file;
        }

        @Override
        public Input open(Folder folder, String name, Folder staged, List<UnpackedBatches> batches)
            throws IOException {
          return batches.isEmpty() ? folder.open(name) : follow(folder, name, staged, batches);
        }
      };

  /**
   * The unpacked content of a part.
   *
   * @param batches the content, file by file
   */
  record Part(List<UnpackedBatches> batches) {
    void write(Folder staged, int number) throws IOException {
      Jackson.write(staged, DOCUMENT.formatted(number), this);
    }
  }

  /** Returns the name of the file with the content of a part. */
  static String data(int part) {
    return DATA.formatted(part);
  }

  private static Input follow(
      Folder folder, String name, Folder staged, List<UnpackedBatches> batches) {
    long length = batches.get(0).length;
    ByteBuffer tail = ArrowReader.tail(length);
    List<StoredElements<String>> pieces = new ArrayList<>();
    pieces.add(new StoredElements<>(WHOLE, StridedLayout.contiguous(0, length)));
    for (UnpackedBatches own : batches) {
      if (own.bytes > 0) {
        pieces.add(new StoredElements<>(own.data, StridedLayout.contiguous(own.offset, own.bytes)));
      }
    }
    pieces.add(new StoredElements<>(TAIL, StridedLayout.contiguous(0, tail.remaining())));
    return new GatheredInput<>(
        folder.path(name),
        file ->
            switch (file) {
              case WHOLE -> folder.open(name);
              case TAIL -> new BufferInput(folder.path(name), tail);
              default -> staged.open(file);
            },
        pieces);
  }
}
