package org.saevhadoop.mapreduce.staging;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.mapreduce.spi.StreamAccess.Part;

/**
 * The parts of a stream that are done, according to the marks in the folder in which it is staged.
 * The mark of a part is committed after all other files of the part.
 *
 * @param names the names of the files in the folder
 * @param chosen the numbers of the parts that contain selected examples; null if not yet known
 */
record StagedParts(Set<String> names, @Nullable List<Integer> chosen) {
  /** No part has been staged. */
  static final StagedParts NONE = new StagedParts(Set.of(), null);

  private static final String PREFIX = "done-";
  private static final String CATALOGUED = PREFIX + "catalogued-%05d";
  private static final String STAGED = PREFIX + "staged-%05d";
  private static final String CHOSEN = PREFIX + "chosen";

  /** Ends the list of chosen parts: without it, the list was not written to its end. */
  private static final String END = ".";

  private static final int MAX_BYTES = 1 << 24;

  /** Reads the marks in a folder. */
  static StagedParts in(Folder folder) throws IOException {
    Set<String> names = folder.files().keySet();
    if (!names.contains(CHOSEN)) {
      return new StagedParts(names, null);
    }
    String text = new String(folder.readSmall(CHOSEN, MAX_BYTES), StandardCharsets.US_ASCII);
    return new StagedParts(names, text.endsWith(END) ? parse(text) : null);
  }

  private static List<Integer> parse(String text) {
    return Arrays.stream(text.substring(0, text.length() - END.length()).split(","))
        .filter(number -> !number.isEmpty())
        .map(Integer::valueOf)
        .toList();
  }

  /** Records the parts that contain selected examples. */
  static void recordChosen(Folder folder, List<Integer> chosen) throws IOException {
    String text = chosen.stream().map(String::valueOf).collect(Collectors.joining(",")) + END;
    try (Output out = folder.create(CHOSEN)) {
      out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }
  }

  /** Marks a part as done by a pass. */
  static void mark(Folder folder, Part part, StagingPass pass) throws IOException {
    String name = (pass.catalogues() ? CATALOGUED : STAGED).formatted(part.number());
    folder.create(name).close();
  }

  /** Returns the marks among the names of files. */
  static Set<String> marks(Set<String> names) {
    return names.stream().filter(name -> name.startsWith(PREFIX)).collect(Collectors.toSet());
  }

  /** Returns the parts that have not been catalogued. */
  List<Part> notCatalogued(List<Part> parts) {
    return without(CATALOGUED, parts);
  }

  /** Returns the parts that have not been staged. */
  List<Part> notStaged(List<Part> parts) {
    return without(STAGED, parts);
  }

  private List<Part> without(String mark, List<Part> parts) {
    return parts.stream().filter(part -> !names.contains(mark.formatted(part.number()))).toList();
  }
}
