package org.saevhadoop.format.pickle.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/**
 * Looks at all that a pickle has built: whether each object can be a value, and how deep and, if
 * nothing were shared, how large it all is. What contains itself is neither, and may do so many
 * times: who walks through it must count objects, not only steps down.
 */
final class ValueCheck {
  /** What one container comes to. */
  private record Extent(int depth, long objects) {}

  private static final Extent UNDER_WAY = new Extent(0, 0);

  /** A container on the way down, and how far it was looked at. */
  private static final class Place {
    private final Object container;
    private final int items;
    private int next;
    private int depth;
    private long objects;

    Place(Object container) {
      this.container = container;
      this.items = itemCount(container);
    }
  }

  private final PickleInput in;
  private final PickleLimits limits;
  private final Map<Object, Extent> extents = new IdentityHashMap<>();
  private final Deque<Place> way = new ArrayDeque<>();

  private ValueCheck(PickleInput in, PickleLimits limits) {
    this.in = in;
    this.limits = limits;
  }

  static void check(PickleInput in, PickleLimits limits, Object value) throws FormatException {
    new ValueCheck(in, limits).check(value);
  }

  private void check(Object value) throws FormatException {
    Place all = new Place(value);
    meet(value, all);
    while (!way.isEmpty()) {
      Place place = way.peek();
      if (place.next < place.items) {
        meet(item(place.container, place.next++), place);
      } else {
        way.pop();
        extents.put(place.container, new Extent(place.depth + 1, place.objects + 1));
        add(extents.get(place.container), way.isEmpty() ? all : way.peek());
      }
    }
  }

  private void meet(Object value, Place place) throws FormatException {
    if (itemCount(value) < 0) {
      checkLeaf(value);
      place.objects++;
      return;
    }
    Extent extent = extents.get(value);
    if (extent != null) {
      add(extent, place);
      return;
    }
    extents.put(value, UNDER_WAY);
    way.push(new Place(value));
    checkDepth(way.size());
  }

  private void add(Extent extent, Place place) throws FormatException {
    place.depth = Math.max(place.depth, extent.depth);
    checkDepth(place.depth);
    place.objects += extent.objects;
    in.check(
        place.objects <= limits.expandedObjects(),
        PickleError.LIMIT_EXCEEDED,
        "more than %d objects, those that are shared counted each time",
        limits.expandedObjects());
  }

  private void checkDepth(int depth) throws FormatException {
    in.check(
        depth <= limits.depth(),
        PickleError.LIMIT_EXCEEDED,
        "more than %d containers in one another",
        limits.depth());
  }

  private void checkLeaf(Object value) throws FormatException {
    in.check(
        !(value instanceof PythonValue.NumpyArray array) || array.isBuilt(),
        PickleError.BAD_ARRAY,
        "an array without a state");
    in.check(!(value instanceof KnownGlobal), PickleError.BAD_PICKLE, "%s as a value", value);
  }

  /** How many objects a container has; -1 for what is none. */
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
    return value instanceof PythonValue.PySet set ? set.items().size() : -1;
  }

  private static Object item(Object container, int index) {
    if (container instanceof PythonValue.Dict dict) {
      return index % 2 == 0 ? dict.key(index / 2) : dict.value(index / 2);
    }
    if (container instanceof PythonValue.PyList list) {
      return list.get(index);
    }
    return container instanceof PythonValue.Tuple tuple
        ? tuple.items().get(index)
        : ((PythonValue.PySet) container).items().get(index);
  }
}
