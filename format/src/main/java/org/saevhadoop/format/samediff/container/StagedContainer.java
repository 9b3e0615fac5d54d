package org.saevhadoop.format.samediff.container;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;

/**
 * An SDZ file whose entries were inflated to files {@code entry-<number>}, and the document that
 * describes it. Names of entries are not used as names of files.
 *
 * @param source the path of the folder that contains the SDZ file
 * @param file the name of the SDZ file
 * @param entries the names of the entries; the graph is the first of several
 * @param settings how arrays are interpreted, as the user gave it, by the names of keys
 */
public record StagedContainer(
    String source, String file, List<String> entries, Map<String, String> settings) {
  private static final String DOCUMENT = "_container";
  private static final String ENTRY = "entry-%05d";
  private static final int COPY_BYTES = 1 << 20;

  public StagedContainer {
    entries = List.copyOf(entries);
    settings = Map.copyOf(settings);
  }

  /**
   * Inflates an entry to a file.
   *
   * @param sdz the open SDZ file
   * @param number the index of the entry among the SDNB entries of the file
   * @param target the folder in which the file is created
   */
  public static void inflate(Input sdz, int number, Folder target) throws IOException {
    ContainerPart part = ContainerFiles.inZip(sdz, sdz.path()).get(number);
    ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
    try (ByteSource bytes = SdzFile.open(sdz).read(Objects.requireNonNull(part.entry()));
        Output out = target.create(ENTRY.formatted(number))) {
      while (bytes.read(buffer.clear()) >= 0) {
        out.write(buffer.flip());
      }
    }
  }

  /** Writes the document, after all entries are inflated. */
  public void write(Folder staged) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    write(out, List.of(source, file));
    write(out, entries);
    List<String> pairs = new ArrayList<>();
    settings.forEach((key, text) -> pairs.addAll(List.of(key, text)));
    write(out, pairs);
    try (Output document = staged.create(DOCUMENT)) {
      document.write(ByteBuffer.wrap(bytes.toByteArray()));
    }
  }

  /** Reads the document. */
  public static StagedContainer read(Folder staged) throws IOException {
    byte[] bytes = staged.readSmall(DOCUMENT, Integer.MAX_VALUE);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    List<String> paths = texts(in);
    List<String> entries = texts(in);
    List<String> pairs = texts(in);
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < pairs.size(); i += 2) {
      settings.put(pairs.get(i), pairs.get(i + 1));
    }
    return new StagedContainer(paths.get(0), paths.get(1), entries, settings);
  }

  /** Opens the container, whose messages have the path of the SDZ file. */
  public SameDiffContainer open(Folder staged, String path) throws IOException {
    SortedMap<String, Long> files = staged.files();
    List<ContainerPart> parts = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      String name = ENTRY.formatted(i);
      long bytes = Objects.requireNonNull(files.get(name), name);
      parts.add(new ContainerPart(entries.get(i), name, 0, bytes, null));
    }
    return SameDiffContainer.of(path, staged, parts);
  }

  private static void write(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      texts.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
    }
    return texts;
  }
}
