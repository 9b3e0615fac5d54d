package org.saevhadoop.format.pickle.value;

import java.util.AbstractList;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Items that are distinct in Python, in insertion order: the keys of a dict or the elements of a
 * set.
 */
public final class KeyedItems extends AbstractList<Object> {
  /**
   * The minimum number of items for which an index is used. For fewer items, a linear search is
   * faster and takes no memory.
   */
  public static final int INDEXED_FROM = 8;

  private final PythonValue.PyList items = new PythonValue.PyList();
  private PythonValue.PyList forms = new PythonValue.PyList();
  private @Nullable Map<Object, Integer> index;

  /**
   * Adds an item unless it is present.
   *
   * @param form a Java object that equals the forms of equal items; see {@code PythonKeys}
   * @return the index of the item
   */
  public int add(Object form, @Nullable Object item) {
    int at = find(form);
    if (at >= 0) {
      return at;
    }
    items.add(item);
    if (index != null) {
      index.put(form, size() - 1);
    } else {
      forms.add(form);
      buildIndex();
    }
    return size() - 1;
  }

  /**
   * Appends an item that the caller knows to be new. {@link #add} does not find items that were
   * appended.
   */
  void append(@Nullable Object item) {
    items.add(item);
  }

  private int find(Object form) {
    if (index != null) {
      return index.getOrDefault(form, -1);
    }
    for (int i = 0; i < size(); i++) {
      if (form.equals(forms.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private void buildIndex() {
    if (size() == INDEXED_FROM) {
      index = new HashMap<>();
      for (int i = 0; i < size(); i++) {
        index.put(forms.get(i), i);
      }
      forms = new PythonValue.PyList();
    }
  }

  @Override
  public @Nullable Object get(int at) {
    return items.get(at);
  }

  @Override
  public int size() {
    return items.size();
  }
}
