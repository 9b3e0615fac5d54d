package org.saevhadoop.format.pickle.read;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.KeyedItems;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PythonValue;

/** Creates and fills Python containers and charges them to the memory budget. */
final class ContainerBuilder {
  private final PickleInput in;
  private final MemoryBudget budget;
  private final PythonKeys keys;

  ContainerBuilder(PickleInput in, MemoryBudget budget) {
    this.in = in;
    this.budget = budget;
    this.keys = new PythonKeys(in, budget);
  }

  /**
   * Returns an object in the form in which containers and results hold it; a dtype becomes
   * immutable.
   */
  @Nullable Object kept(@Nullable Object value) throws FormatException {
    return value instanceof NumpyDtype dtype && dtype.isKnown()
        ? dtype.use(in, PickleError.BAD_ARRAY)
        : value;
  }

  PythonValue.Tuple tuple(@Nullable Object... items) throws FormatException {
    budget.take(MemoryBudget.TUPLE + (long) items.length * MemoryBudget.SLOT);
    for (int i = 0; i < items.length; i++) {
      // can be a dtype in the state of an array or in the arguments of a function
      items[i] = kept(items[i]);
    }
    return new PythonValue.Tuple(Collections.unmodifiableList(Arrays.asList(items)));
  }

  PythonValue.PyList list(@Nullable Object... items) throws FormatException {
    budget.take(MemoryBudget.LIST);
    PythonValue.PyList list = new PythonValue.PyList();
    extend(Arrays.asList(items), list);
    return list;
  }

  PythonValue.Dict dict(PythonValue.Dict.Kind kind) throws FormatException {
    budget.take(MemoryBudget.DICT);
    return new PythonValue.Dict(kind);
  }

  PythonValue.PySet set(boolean isFrozen, List<Object> items) throws FormatException {
    budget.take(MemoryBudget.SET);
    PythonValue.PySet set = new PythonValue.PySet(isFrozen, new KeyedItems());
    addTo(set, items);
    return set;
  }

  void extend(List<Object> items, @Nullable Object target) throws FormatException {
    if (target instanceof OpaqueObject) {
      return;
    }
    if (!(target instanceof PythonValue.PyList list)) {
      throw in.fail("the object to append to is not a list");
    }
    for (Object item : items) {
      budget.take(MemoryBudget.SLOT);
      list.add(kept(item));
    }
  }

  void addAll(List<Object> items, @Nullable Object target) throws FormatException {
    if (target instanceof OpaqueObject) {
      return;
    }
    if (!(target instanceof PythonValue.PySet set) || set.frozen()) {
      throw in.fail("the object to add to is not a mutable set");
    }
    addTo(set, items);
  }

  private void addTo(PythonValue.PySet set, List<Object> items) throws FormatException {
    KeyedItems content = (KeyedItems) set.items();
    for (Object item : items) {
      takeEntry(content.size());
      content.add(keys.form(item), item);
    }
  }

  /** Sets items from alternating keys and values. */
  void putAll(@Nullable Object[] items, @Nullable Object target) throws FormatException {
    if (target instanceof OpaqueObject) {
      return;
    }
    if (!(target instanceof PythonValue.Dict dict)) {
      throw in.fail("the object whose items are set is not a dict");
    }
    in.check(items.length % 2 == 0, "a key without a value");
    for (int i = 0; i < items.length; i += 2) {
      put(dict, items[i], items[i + 1]);
    }
  }

  private void put(PythonValue.Dict dict, @Nullable Object key, @Nullable Object value)
      throws FormatException {
    takeEntry(dict.size());
    dict.put(keys.form(key), key, kept(value));
  }

  private void takeEntry(int size) throws FormatException {
    budget.take(
        MemoryBudget.ENTRY + (size >= KeyedItems.INDEXED_FROM - 1 ? MemoryBudget.INDEX_ENTRY : 0));
  }

  Object call(KnownGlobal type, List<Object> args) throws FormatException {
    in.check(args.size() <= 1 || type == KnownGlobal.BYTEARRAY, "too many arguments");
    Object content = args.isEmpty() ? null : args.get(0);
    return switch (type) {
      case LIST -> list(items(args).toArray());
      case SET, FROZENSET -> set(type == KnownGlobal.FROZENSET, items(args));
      case DICT -> dictOf(PythonValue.Dict.Kind.DICT, items(args));
      case ORDERED_DICT -> dictOf(PythonValue.Dict.Kind.ORDERED_DICT, items(args));
      case DEFAULT_DICT -> defaultDict(content);
      case BYTES -> bytes(args);
      case BYTEARRAY -> new PythonValue.ByteArray(byteArray(args));
      default -> throw in.fail("%s is not called", type);
    };
  }

  private PythonValue.Bytes bytes(List<Object> args) throws FormatException {
    budget.take(MemoryBudget.BYTES);
    if (args.isEmpty()) {
      return new PythonValue.Bytes(PayloadData.of(new byte[0]));
    }
    in.check(args.get(0) instanceof PythonValue.Bytes, "bytes of something other than bytes");
    return (PythonValue.Bytes) args.get(0);
  }

  private PayloadData byteArray(List<Object> args) throws FormatException {
    budget.take(MemoryBudget.BYTES);
    if (args.isEmpty()) {
      return PayloadData.of(new byte[0]);
    }
    in.check(
        args.size() == 1 && args.get(0) instanceof PythonValue.Bytes,
        "a bytearray of something other than bytes");
    return ((PythonValue.Bytes) args.get(0)).data();
  }

  private PythonValue.Dict defaultDict(@Nullable Object factory) throws FormatException {
    in.check(
        factory == null || factory instanceof KnownGlobal || factory instanceof OpaqueObject,
        "a defaultdict of a %s",
        ByteNames.kind(factory));
    in.check(
        !(factory instanceof KnownGlobal known) || known.isContainer(),
        PickleError.UNSAFE_GLOBAL,
        "a defaultdict of %s",
        factory);
    return dict(PythonValue.Dict.Kind.DEFAULT_DICT);
  }

  private PythonValue.Dict dictOf(PythonValue.Dict.Kind kind, List<Object> pairs)
      throws FormatException {
    PythonValue.Dict dict = dict(kind);
    for (Object pair : pairs) {
      List<Object> items = items(Collections.singletonList(pair));
      in.check(items.size() == 2, "a dict of items that are not pairs");
      put(dict, items.get(0), items.get(1));
    }
    return dict;
  }

  /** Returns the content of the only argument; empty if there is no argument. */
  private List<Object> items(List<Object> args) throws FormatException {
    if (args.isEmpty()) {
      return List.of();
    }
    Object content = args.get(0);
    if (content instanceof PythonValue.Tuple tuple) {
      return tuple.items();
    }
    if (content instanceof PythonValue.PySet set) {
      return set.items();
    }
    in.check(
        content instanceof PythonValue.PyList, "a container made of a %s", ByteNames.kind(content));
    return ((PythonValue.PyList) content).items();
  }
}
