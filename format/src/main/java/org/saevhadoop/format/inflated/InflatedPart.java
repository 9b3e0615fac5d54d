package org.saevhadoop.format.inflated;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.entries.EntryContent;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.zip.StoredZip;

/**
 * The inflated entries of a part. Archives without compressed entries are not listed.
 *
 * @param entries the entries, archive by archive
 */
record InflatedPart(List<Inflated> entries) {
  private static final String DATA = "inflated-%05d";
  private static final String DOCUMENT = "entries-%05d";

  /**
   * An entry.
   *
   * @param archive the path of the archive, relative to the folder of the dataset
   * @param entry the location of the data
   */
  record Inflated(String archive, StoredZip.Entry entry) {}

  /** Archives in which the inflated entries appear as stored entries. */
  static final EntryContent<Inflated> CONTENT =
      new EntryContent<>() {
        @Override
        public List<Inflated> read(Folder staged, int part) throws IOException {
          return InflatedPart.read(staged, part).entries();
        }

        @Override
        public String file(Inflated entry) {
          return entry.archive;
        }

        @Override
        public Input open(Folder folder, String name, Folder staged, List<Inflated> entries)
            throws IOException {
          return entries.isEmpty()
              ? folder.open(name)
              : StoredZip.open(
                  folder.path(name), entries.stream().map(Inflated::entry).toList(), staged::open);
        }
      };

  /** Returns the name of the file with the data of the entries. */
  static String data(int number) {
    return DATA.formatted(number);
  }

  void add(String archive, StoredZip.Entry entry) {
    entries.add(new Inflated(archive, entry));
  }

  void write(Folder staged, int number) throws IOException {
    Jackson.write(staged, DOCUMENT.formatted(number), this);
  }

  private static InflatedPart read(Folder staged, int number) throws IOException {
    return Jackson.read(staged, DOCUMENT.formatted(number), InflatedPart.class);
  }
}
