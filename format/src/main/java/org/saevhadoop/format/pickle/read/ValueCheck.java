package org.saevhadoop.format.pickle.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/**
 * Checks the result of a pickle: that each object can be a value, and that the nesting depth and
 * the size after expanding shared objects are within the limits. A reference back to an enclosing
 * container adds neither depth nor size, and there can be many such references; callers that
 * traverse the result must therefore limit the number of objects as well as the depth.
 */
final class ValueCheck {
  /** Depth and expanded size of a container. */
  private record Extent(int depth, long objects) {}

  private static final Extent UNDER_WAY = new Extent(0, 0);

  /** A container on the current path and the state of its traversal. */
  private static final class Position {
    private final Object container;
    private final int items;
    private int next;
    private int depth;
    private long objects;

    Position(Object container) {
      this.container = container;
      this.items = itemCount(container);
    }
  }

  private final PickleInput in;
  private final PickleLimits limits;

  /** Whether placeholders for unknown classes are accepted as values. */
  private final boolean keepsOthers;

  private final Map<Object, Extent> extents = new IdentityHashMap<>();
  private final Deque<Position> path = new ArrayDeque<>();

  private ValueCheck(PickleInput in, PickleLimits limits, boolean keepsOthers) {
    this.in = in;
    this.limits = limits;
    this.keepsOthers = keepsOthers;
  }

  static void check(
      PickleInput in, PickleLimits limits, boolean keepsOthers, @Nullable Object value)
      throws FormatException {
    new ValueCheck(in, limits, keepsOthers).check(value);
  }

  private void check(@Nullable Object value) throws FormatException {
    Position all = new Position(List.of());
    meet(value, all);
    while (!path.isEmpty()) {
      Position position = path.peek();
      if (position.next < position.items) {
        meet(item(position.container, position.next++), position);
      } else {
        path.pop();
        extents.put(position.container, new Extent(position.depth + 1, position.objects + 1));
        add(extents.get(position.container), path.isEmpty() ? all : path.peek());
      }
    }
  }

  private void meet(@Nullable Object value, Position position) throws FormatException {
    if (value == null || itemCount(value) < 0) {
      checkLeaf(value);
      position.objects++;
      return;
    }
    Extent extent = extents.get(value);
    if (extent != null) {
      add(extent, position);
      return;
    }
    extents.put(value, UNDER_WAY);
    path.push(new Position(value));
    checkDepth(path.size());
  }

  private void add(Extent extent, Position position) throws FormatException {
    position.depth = Math.max(position.depth, extent.depth);
    checkDepth(position.depth);
    position.objects += extent.objects;
    in.check(
        position.objects <= limits.expandedObjects(),
        PickleError.LIMIT_EXCEEDED,
        "more than %d objects, counting shared ones each time",
        limits.expandedObjects());
  }

  private void checkDepth(int depth) throws FormatException {
    in.check(
        depth <= limits.depth(),
        PickleError.LIMIT_EXCEEDED,
        "more than %d nested containers",
        limits.depth());
  }

  private void checkLeaf(@Nullable Object value) throws FormatException {
    in.check(
        !(value instanceof PythonValue.NumpyArray array) || array.isBuilt(),
        PickleError.BAD_ARRAY,
        "an array without state");
    in.check(keepsOthers || !(value instanceof KnownGlobal), "%s as a value", value);
  }

  /** Returns the number of objects in a container; -1 for other objects. */
  private static int itemCount(Object value) {
    if (value instanceof PythonValue.Dict dict) {
      return 2 * dict.size();
    }
    if (value instanceof PythonValue.PyList list) {
      return list.size();
    }
    if (value instanceof PythonValue.Tuple tuple) {
      return tuple.items().size();
    }
    if (value instanceof PythonValue.NumpyArray array && array.objects() != null) {
      return array.objects().size();
    }
    return value instanceof PythonValue.PySet set ? set.items().size() : -1;
  }

  private static @Nullable Object item(Object container, int index) {
    if (container instanceof PythonValue.Dict dict) {
      return index % 2 == 0 ? dict.key(index / 2) : dict.value(index / 2);
    }
    if (container instanceof PythonValue.PyList list) {
      return list.get(index);
    }
    if (container instanceof PythonValue.NumpyArray array) {
      return Objects.requireNonNull(array.objects()).get(index);
    }
    return container instanceof PythonValue.Tuple tuple
        ? tuple.items().get(index)
        : ((PythonValue.PySet) container).items().get(index);
  }
}
