package org.saevhadoop.format.arrays.pickled;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.arrays.file.ArrayFile;
import org.saevhadoop.format.arrays.file.FileArray;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.read.OpaqueObject;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickle.value.ScalarValue;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * Collects the arrays and values in nested containers of a pickle by dotted path. Within the
 * limits, an object that several containers share is listed once for each container.
 */
public final class PickledContent {
  /** The maximum number of visited objects; shared objects count each time. */
  public static final int MAX_OBJECTS = 1 << 22;

  /** The limits of a pickle whose content is collected. */
  public static final PickleLimits LIMITS = limits(PickleLimits.DEFAULT);

  private static final int MAX_ARRAYS = 1 << 18;
  private static final int MAX_VALUES = 1 << 16;
  private static final int MAX_DEPTH = 500;
  private static final int MAX_NAME = 4096;
  private static final int MAX_NAMES = 1 << 24;
  private static final int MAX_SHOWN = 100;
  private static final String OBJECTS = "objects, counting shared ones each time";
  private static final int MAX_KINDS = 100;

  /** Objects of a kind that is not read. */
  private static final class Unread {
    private final String first;
    private int count;

    Unread(String first) {
      this.first = first;
    }
  }

  private final String path;
  private final ArrayObjects objects;
  private final String plural;
  private final String inName;
  private final List<FileArray> arrays = new ArrayList<>();
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final Set<ArchiveEntry> entries = new LinkedHashSet<>();
  private final Map<String, Unread> unread = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();
  private final StringBuilder name = new StringBuilder();
  private final Set<Object> enclosing = Collections.newSetFromMap(new IdentityHashMap<>());
  private long nameChars;
  private int visited;
  private boolean hasUnread;

  /** Null if lists are not read as arrays. */
  private final @Nullable ListedIntegers lists;

  /** Whether the visited object is in a list of lists that does not form an array. */
  private boolean isUneven;

  /** The first object of an unknown class; null if there is none. */
  private @Nullable OpaqueObject other;

  private PickledContent(String path, ArrayObjects objects, @Nullable ListedIntegers lists) {
    this.lists = lists;
    this.path = path;
    this.objects = objects;
    this.plural = objects.noun() + "s";
    this.inName = "characters in the name of a " + objects.noun();
  }

  private static PickleLimits limits(PickleLimits base) {
    return new PickleLimits(
        base.objectBytes(),
        base.stack(),
        base.depth(),
        base.lineBytes(),
        base.integerBytes(),
        base.idleOpcodes(),
        base.dimensions(),
        MAX_OBJECTS);
  }

  /**
   * Returns the arrays and values of an unpickled object.
   *
   * @param path the path of the file, for error messages
   * @param objects finds the arrays
   */
  public static ArrayFile of(String path, ArrayObjects objects, @Nullable Object root)
      throws FormatException {
    return of(new PickledContent(path, objects, null), root);
  }

  /**
   * Returns the arrays and values of an unpickled object, with lists of integers as arrays.
   *
   * @param length the length of the file, which is the position of the first of these arrays
   */
  public static ArrayFile withLists(
      String path, ArrayObjects objects, @Nullable Object root, long length)
      throws FormatException {
    return of(new PickledContent(path, objects, new ListedIntegers(length)), root);
  }

  /** Returns the lists of integers of an unpickled object. */
  public static ListedIntegers lists(
      String path, ArrayObjects objects, @Nullable Object root, long length)
      throws FormatException {
    ListedIntegers lists = new ListedIntegers(length);
    new PickledContent(path, objects, lists).visit(root);
    return lists;
  }

  private static ArrayFile of(PickledContent content, @Nullable Object root)
      throws FormatException {
    content.visit(root);
    String path = content.path;
    ArrayObjects objects = content.objects;
    List<String> warnings = content.warnings();
    if (content.arrays.isEmpty() && !content.hasUnread && content.other != null) {
      throw OtherObjects.refusal(path, content.other);
    }
    objects
        .unsupported()
        .check(
            !content.arrays.isEmpty() || !content.hasUnread,
            path,
            "contains no %s that can be read in place: %s",
            objects.noun(),
            String.join("; ", warnings));
    return new ArrayFile(
        content.arrays,
        Collections.unmodifiableMap(content.values),
        List.copyOf(content.entries),
        warnings);
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    unread.forEach(
        (what, those) ->
            warnings.add(
                those.count == 1
                    ? "%s is not read: \"%s\"".formatted(what, those.first)
                    : "%s is not read: \"%s\" and %d more"
                        .formatted(what, those.first, those.count - 1)));
    return warnings;
  }

  private void visit(@Nullable Object value) throws FormatException {
    checkLimit(++visited <= MAX_OBJECTS, MAX_OBJECTS, OBJECTS);
    if (value instanceof PythonValue.Dict dict) {
      enter(dict);
      for (int i = 0; i < dict.size(); i++) {
        visitEntry(dict.key(i), dict.value(i));
      }
      enclosing.remove(dict);
    } else if (value instanceof PythonValue.PyList list) {
      visitList(list);
    } else if (value instanceof PythonValue.Tuple tuple) {
      visitItems(tuple, tuple.items());
    } else if (value instanceof PythonValue.NumpyArray array && array.objects() != null) {
      visitObjects(array, array.objects());
    } else if (value != null) {
      ArrayObjects.Found found = objects.find(value);
      if (found == null) {
        addValue(value);
      } else {
        addArray(found);
      }
    }
  }

  private void visitList(PythonValue.PyList list) throws FormatException {
    ArrayObjects.Found found = lists == null || isUneven ? null : lists.add(list);
    if (found != null) {
      visited += (int) Math.min(MAX_OBJECTS, found.elements());
      checkLimit(visited <= MAX_OBJECTS, MAX_OBJECTS, OBJECTS);
      addArray(found);
      return;
    }
    boolean before = isUneven;
    isUneven |= ListedIntegers.isOfLists(list);
    visitItems(list, list.items());
    isUneven = before;
  }

  /** Visits the objects in an array; numpy.save stores a dictionary as a 0-d array. */
  private void visitObjects(PythonValue.NumpyArray array, List<Object> items)
      throws FormatException {
    if (array.isScalar()) {
      enter(array);
      visit(items.get(0));
      enclosing.remove(array);
    } else {
      visitItems(array, items);
    }
  }

  private void visitItems(Object container, List<Object> items) throws FormatException {
    enter(container);
    long index = 0;
    for (Object item : items) {
      visitEntry(index++, item);
    }
    enclosing.remove(container);
  }

  private void enter(Object container) throws FormatException {
    objects
        .badStructure()
        .check(
            enclosing.add(container), path, "a container contains itself, at \"%s\"", shownName());
    checkLimit(enclosing.size() <= MAX_DEPTH, MAX_DEPTH, "nested containers");
  }

  private void visitEntry(@Nullable Object key, @Nullable Object value) throws FormatException {
    int length = name.length();
    if (append(key)) {
      visit(value);
    } else {
      hasUnread = true;
      omit("an entry whose key is neither a string nor an integer");
    }
    name.setLength(length);
  }

  /** Adds a key to the name; returns false unless the key consists of strings and integers. */
  private boolean append(@Nullable Object key) throws FormatException {
    if (key instanceof PythonValue.Tuple tuple && enclosing.add(tuple)) { // (3, "mlp")
      boolean isName = !tuple.items().isEmpty();
      for (Object part : tuple.items()) {
        isName = isName && append(part);
      }
      enclosing.remove(tuple);
      return isName;
    }
    Object plain = key instanceof PythonValue.NumpyScalar scalar ? number(scalar) : key;
    if (!(plain instanceof String || plain instanceof Long)) {
      return false;
    }
    name.append(name.isEmpty() ? "" : ".").append(plain);
    checkLimit(name.length() <= MAX_NAME, MAX_NAME, inName);
    return true;
  }

  private void addArray(ArrayObjects.Found found) throws FormatException {
    String reason = found.unread();
    if (reason != null) {
      hasUnread = true;
      omit(reason);
      return;
    }
    String own = name.isEmpty() ? ArrayFile.UNNAMED : name();
    objects
        .badStructure()
        .check(names.add(own), path, "two %s are named \"%s\"", plural, shownName());
    checkLimit(arrays.size() < MAX_ARRAYS, MAX_ARRAYS, plural);
    arrays.add(found.array(own));
    if (found.entry() != null) {
      entries.add(found.entry());
    }
  }

  private void addValue(Object value) throws FormatException {
    Object plain = value instanceof PythonValue.NumpyScalar scalar ? number(scalar) : value;
    if (other == null && value instanceof OpaqueObject object) {
      other = object;
    }
    plain = plain == null ? null : objects.plain(plain);
    boolean isPlain =
        plain instanceof Long
            || plain instanceof Double
            || plain instanceof Boolean
            || plain instanceof String;
    if (plain == null || !isPlain) {
      omit(objects.kind(value));
    } else if (values.size() == MAX_VALUES) {
      omit("a value beyond the first %d".formatted(MAX_VALUES));
    } else {
      values.putIfAbsent(name(), plain);
    }
  }

  /** Returns the value of a numpy scalar; null if it is not a number. */
  private static @Nullable Object number(PythonValue.NumpyScalar scalar) {
    return "biuf".indexOf(scalar.type().kind()) < 0
        ? null
        : ScalarValue.number(scalar.type(), scalar.bytes());
  }

  private void omit(String what) {
    String kind =
        unread.size() < MAX_KINDS || unread.containsKey(what)
            ? what
            : "an object of one more class";
    unread.computeIfAbsent(kind, key -> new Unread(shownName())).count++;
  }

  private String name() throws FormatException {
    nameChars += name.length();
    checkLimit(nameChars <= MAX_NAMES, MAX_NAMES, "characters in names");
    return name.toString();
  }

  private String shownName() {
    return name.isEmpty() ? ArrayFile.UNNAMED : Quote.show(name.toString(), MAX_SHOWN);
  }

  private void checkLimit(boolean holds, int limit, String what) throws FormatException {
    objects.limitExceeded().check(holds, path, "has more than %d %s", limit, what);
  }
}
