package org.saevhadoop.format.pickle.value;

import java.util.AbstractList;
import java.util.HashMap;
import java.util.Map;
import org.saevhadoop.format.pickle.read.PythonKeys;

/** Objects that Python holds for different, in the order in which they came: keys, or a set. */
public final class KeyedItems extends AbstractList<Object> {
  /** Below, looking at all is faster than an index, and takes no memory. */
  public static final int INDEXED_FROM = 8;

  private final PythonValue.PyList items = new PythonValue.PyList();
  private PythonValue.PyList forms = new PythonValue.PyList();
  private Map<Object, Integer> index;

  /**
   * Adds an item unless it is there.
   *
   * @param form what {@link PythonKeys#form} says of it
   * @return its index
   */
  public int add(Object form, Object item) {
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

  /** Adds an item that its owner knows to be new. What is added so is not found by {@link #add}. */
  void append(Object item) {
    items.add(item);
  }

  private int find(Object form) {
    if (index != null) {
      return index.getOrDefault(form, -1);
    }
    for (int i = 0; i < size(); i++) {
      if (forms.get(i).equals(form)) {
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
      forms = null;
    }
  }

  @Override
  public Object get(int at) {
    return items.get(at);
  }

  @Override
  public int size() {
    return items.size();
  }
}
