package org.saevhadoop.format.entries;

import java.io.IOException;
import java.util.List;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;

/**
 * The entries that a format stages, and the resulting files.
 *
 * @param <E> the type of an entry
 */
public interface EntryContent<E> {
  /** Returns the entries of a part, in their order. */
  List<E> read(Folder staged, int part) throws IOException;

  /** Returns the path of the file to which an entry belongs, relative to the dataset folder. */
  String file(E entry);

  /**
   * Opens a file from its entries.
   *
   * @param folder the folder of the dataset that contains the file
   * @param staged the folder with the data of the entries
   * @param entries the entries of the file, in the order of the parts; may be empty
   */
  Input open(Folder folder, String name, Folder staged, List<E> entries) throws IOException;
}
