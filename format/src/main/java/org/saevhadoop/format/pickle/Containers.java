package org.saevhadoop.format.pickle;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.saevhadoop.format.io.FormatException;

/** Makes and fills Python's containers, at what they take of the budget. */
final class Containers {
  private final PickleInput in;
  private final Budget budget;
  private final Keys keys;

  Containers(PickleInput in, Budget budget) {
    this.in = in;
    this.budget = budget;
    this.keys = new Keys(in, budget);
  }

  /** How an object stands in a container: a dtype does not change any more. */
  private Object kept(Object value) throws FormatException {
    return value instanceof Dtype dtype && dtype.isKnown()
        ? dtype.use(in, PickleError.BAD_ARRAY)
        : value;
  }

  Py.Tuple tuple(Object... items) throws FormatException {
    budget.take(Budget.TUPLE + (long) items.length * Budget.SLOT);
    for (int i = 0; i < items.length; i++) {
      // a dtype in an array's state or in a function's arguments
      items[i] = kept(items[i]);
    }
    return new Py.Tuple(Collections.unmodifiableList(Arrays.asList(items)));
  }

  Py.PyList list(Object... items) throws FormatException {
    budget.take(Budget.LIST);
    Py.PyList list = new Py.PyList();
    extend(list, Arrays.asList(items));
    return list;
  }

  Py.Dict dict(Py.Dict.Kind kind) throws FormatException {
    budget.take(Budget.DICT);
    return new Py.Dict(kind);
  }

  Py.PySet set(boolean isFrozen, List<Object> items) throws FormatException {
    budget.take(Budget.SET);
    Py.PySet set = new Py.PySet(isFrozen, new KeyedItems());
    addTo(set, items);
    return set;
  }

  void extend(Object target, List<Object> items) throws FormatException {
    in.check(target instanceof Py.PyList, PickleError.BAD_PICKLE, "no list to append to");
    Py.PyList list = (Py.PyList) target;
    for (Object item : items) {
      budget.take(Budget.SLOT);
      list.add(kept(item));
    }
  }

  void addAll(Object target, List<Object> items) throws FormatException {
    in.check(
        target instanceof Py.PySet set && !set.frozen(),
        PickleError.BAD_PICKLE,
        "no set to add to");
    addTo((Py.PySet) target, items);
  }

  private void addTo(Py.PySet set, List<Object> items) throws FormatException {
    KeyedItems content = (KeyedItems) set.items();
    for (Object item : items) {
      takeEntry(content.size());
      content.add(keys.form(item), item);
    }
  }

  /** Sets keys and values, which take turns. */
  void putAll(Object target, Object... items) throws FormatException {
    in.check(target instanceof Py.Dict, PickleError.BAD_PICKLE, "no dict to set items of");
    in.check(items.length % 2 == 0, PickleError.BAD_PICKLE, "a key without a value");
    for (int i = 0; i < items.length; i += 2) {
      put((Py.Dict) target, items[i], items[i + 1]);
    }
  }

  private void put(Py.Dict dict, Object key, Object value) throws FormatException {
    takeEntry(dict.size());
    dict.put(keys.form(key), key, kept(value));
  }

  private void takeEntry(int size) throws FormatException {
    budget.take(Budget.ENTRY + (size >= KeyedItems.INDEXED_FROM - 1 ? Budget.INDEX_ENTRY : 0));
  }

  /** Calls a class of containers. */
  Object call(Global type, List<Object> args) throws FormatException {
    in.check(
        args.size() <= 1 || type == Global.BYTEARRAY, PickleError.BAD_PICKLE, "too many arguments");
    Object content = args.isEmpty() ? null : args.get(0);
    return switch (type) {
      case LIST -> list(items(args).toArray());
      case SET, FROZENSET -> set(type == Global.FROZENSET, items(args));
      case DICT -> dictOf(Py.Dict.Kind.DICT, items(args));
      case ORDERED_DICT -> dictOf(Py.Dict.Kind.ORDERED_DICT, items(args));
      case DEFAULT_DICT -> defaultDict(content);
      case BYTES -> bytes(args);
      case BYTEARRAY -> new Py.ByteArray(byteArray(args));
      default -> throw in.fail(PickleError.BAD_PICKLE, "%s is not called", type);
    };
  }

  private Py.Bytes bytes(List<Object> args) throws FormatException {
    budget.take(Budget.BYTES);
    if (args.isEmpty()) {
      return new Py.Bytes(Data.of(new byte[0]));
    }
    in.check(args.get(0) instanceof Py.Bytes, PickleError.BAD_PICKLE, "bytes of what is none");
    return (Py.Bytes) args.get(0);
  }

  private Data byteArray(List<Object> args) throws FormatException {
    budget.take(Budget.BYTES);
    if (args.isEmpty()) {
      return Data.of(new byte[0]);
    }
    in.check(
        args.size() == 1 && args.get(0) instanceof Py.Bytes,
        PickleError.BAD_PICKLE,
        "a bytearray of something else than bytes");
    return ((Py.Bytes) args.get(0)).data();
  }

  private Py.Dict defaultDict(Object factory) throws FormatException {
    in.check(
        factory == null || factory instanceof Global,
        PickleError.BAD_PICKLE,
        "a defaultdict of a %s",
        Names.kind(factory));
    in.check(
        factory == null || ((Global) factory).isContainer(),
        PickleError.UNSAFE_GLOBAL,
        "a defaultdict of %s",
        factory);
    return dict(Py.Dict.Kind.DEFAULT_DICT);
  }

  private Py.Dict dictOf(Py.Dict.Kind kind, List<Object> pairs) throws FormatException {
    Py.Dict dict = dict(kind);
    for (Object pair : pairs) {
      List<Object> items = items(Collections.singletonList(pair));
      in.check(items.size() == 2, PickleError.BAD_PICKLE, "a dict of what are no pairs");
      put(dict, items.get(0), items.get(1));
    }
    return dict;
  }

  /** What the one argument holds; nothing where there is none. */
  private List<Object> items(List<Object> args) throws FormatException {
    if (args.isEmpty()) {
      return List.of();
    }
    Object content = args.get(0);
    if (content instanceof Py.Tuple tuple) {
      return tuple.items();
    }
    if (content instanceof Py.PySet set) {
      return set.items();
    }
    in.check(
        content instanceof Py.PyList,
        PickleError.BAD_PICKLE,
        "a container made of a %s",
        Names.kind(content));
    Py.PyList list = (Py.PyList) content;
    return IntStream.range(0, list.size()).mapToObj(list::get).toList();
  }
}
