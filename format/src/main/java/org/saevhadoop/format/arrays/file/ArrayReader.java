package org.saevhadoop.format.arrays.file;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.samples.SampleMetadata;

/** Reads the headers of files of one kind, but no elements. */
public interface ArrayReader {
  /** Returns whether a file is of this kind, judging by its name. */
  boolean isNamed(String file);

  /** Returns the files of a folder that are of this kind, judging by their names. */
  default List<String> named(Collection<String> files) {
    return files.stream().filter(this::isNamed).toList();
  }

  /**
   * Returns whether some programs write ZIP archives of this kind with checksums that do not match
   * their entries.
   */
  default boolean mayLackChecksums() {
    return false;
  }

  /**
   * Reads the names, types and positions of the arrays in a file.
   *
   * @param folder the folder that contains the file and its documents
   * @throws org.saevhadoop.format.io.FormatException if the file is malformed, or contains elements
   *     that cannot be read in place
   */
  ArrayFile read(Folder folder, String file) throws IOException;

  /**
   * Opens the file that contains an array; the elements are at the offsets that the layout of the
   * array specifies. The elements of a compressed entry are inflated.
   *
   * @param folder the folder of the dataset
   * @param path the path of the file, relative to the folder
   * @param array the name of the array
   */
  default Input elements(Folder folder, String path, String array) throws IOException {
    return ArrayFiles.open(folder, path);
  }

  /**
   * Returns the sample metadata that a file stores for its examples, which are numbered from 0;
   * empty if there is none.
   *
   * @param folder the folder of the dataset
   * @param path the path of the file, relative to the folder
   */
  default Optional<SampleMetadata> samples(Folder folder, String path) throws IOException {
    return Optional.empty();
  }

  /**
   * Returns the field names of the sample metadata of a file, if all examples have the same fields.
   *
   * @param folder the folder of the dataset
   * @param path the path of the file, relative to the folder
   */
  default List<String> sampleFields(Folder folder, String path) throws IOException {
    return List.of();
  }
}
