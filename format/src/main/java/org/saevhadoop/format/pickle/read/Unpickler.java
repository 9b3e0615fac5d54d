package org.saevhadoop.format.pickle.read;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.Opcode;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;

/** Interpreter of the opcodes of one pickle. */
final class Unpickler {
  private static final int HIGHEST_PROTOCOL = 5;
  private static final int MAX_NAME = 1024;
  private static final int ASCII_END = 0x80;

  private static final long MAX_FRAME = 1L << 40;
  private final PickleInput in;
  private final MemoryBudget budget;
  private final PickleStack stack;
  private final UnpicklingMemo memo;
  private final NumberOpcodes numbers;
  private final LiteralOpcodes literals;
  private final ContainerBuilder containers;
  private final NumpyBuilder numpy;
  private final @Nullable PersistentLoader loader;
  private int protocol;
  private long frameEnd;
  private boolean hasOther;

  /**
   * Creates an interpreter.
   *
   * @param loader the loader that resolves persistent ids and further globals; null to refuse both
   */
  Unpickler(
      PickleInput in,
      PayloadStore payloads,
      PickleLimits limits,
      @Nullable PersistentLoader loader) {
    this.in = in;
    this.budget = new MemoryBudget(in, limits);
    this.stack = new PickleStack(in, limits.stack());
    this.memo = new UnpicklingMemo(in, budget);
    this.numbers = new NumberOpcodes(in, limits);
    this.literals = new LiteralOpcodes(in, payloads, limits, budget, numbers);
    this.containers = new ContainerBuilder(in, budget);
    boolean keepsOthers = loader != null && loader.keepsOthers();
    this.numpy = new NumpyBuilder(in, payloads, limits, budget, keepsOthers);
    this.loader = loader;
  }

  /** Reads up to and including STOP and returns the object. */
  @Nullable Object run() throws IOException {
    while (true) {
      long begin = in.position();
      long end = frameEnd;
      int opcode = in.nextOpcode();
      budget.work(1);
      if (opcode == Opcode.STOP) {
        in.check(!stack.hasMark(), "a mark is open");
        numpy.checkDtypes();
        return containers.kept(stack.pop());
      }
      step(opcode);
      in.check(
          begin >= end || in.position() <= end,
          "an argument goes beyond its frame, which ends at byte %d",
          end);
    }
  }

  /**
   * Reads up to the first array, or the first object of an unknown class, and returns the objects
   * around it, outermost first: containers, and keys and items that have not been added to them.
   */
  List<Object> runToFirst() throws IOException {
    int opcode = in.nextOpcode();
    while (opcode != Opcode.STOP) {
      budget.work(1);
      step(opcode);
      if (numpy.hasMade() || hasOther) {
        return stack.items();
      }
      opcode = in.nextOpcode();
    }
    return List.of();
  }

  /** Reads up to the first array and its state; returns null if there is none. */
  PythonValue.@Nullable NumpyArray runToFirstArray() throws IOException {
    List<Object> around = runToFirst();
    if (around.isEmpty()
        || !(around.get(around.size() - 1) instanceof PythonValue.NumpyArray array)) {
      return null;
    }
    while (!array.isBuilt()) {
      int opcode = in.nextOpcode();
      if (opcode == Opcode.STOP) {
        return null;
      }
      budget.work(1);
      step(opcode);
    }
    return array;
  }

  /** Returns the declared end of the last frame. */
  long frameEnd() {
    return frameEnd;
  }

  private void step(int opcode) throws IOException {
    switch (opcode) {
      case Opcode.MARK -> stack.mark();
      case Opcode.POP -> pop();
      case Opcode.POP_MARK -> stack.popToMark();
      case Opcode.DUP -> stack.push(stack.peek());
      case Opcode.MEMOIZE -> memo.add(stack.peek());
      case Opcode.BINPUT -> memo.put(in.readByte(), stack.peek());
      case Opcode.LONG_BINPUT -> memo.put(in.readNumber(Integer.BYTES), stack.peek());
      case Opcode.PUT -> memo.put(numbers.readIndex(), stack.peek());
      case Opcode.BINGET -> stack.push(fetched(memo.get(in.readByte())));
      case Opcode.LONG_BINGET -> stack.push(fetched(memo.get(in.readNumber(Integer.BYTES))));
      case Opcode.GET -> stack.push(fetched(memo.get(numbers.readIndex())));
      case Opcode.PROTO -> readProtocol();
      case Opcode.FRAME -> readFrame();
      default -> container(opcode);
    }
  }

  private void pop() throws FormatException {
    if (stack.isMarkOnTop()) {
      stack.popToMark();
    } else {
      stack.pop();
    }
  }

  private void readProtocol() throws IOException {
    protocol = in.readByte();
    in.check(
        protocol <= HIGHEST_PROTOCOL,
        "unsupported protocol %d (at most %d)",
        protocol,
        HIGHEST_PROTOCOL);
  }

  /** Reads a frame like Lib/pickle.py; Modules/_pickle.c also accepts nested frames. */
  private void readFrame() throws IOException {
    in.check(in.position() > frameEnd, "a frame within a frame");
    long length = in.readLength();
    in.check(
        length <= MAX_FRAME,
        PickleError.LIMIT_EXCEEDED,
        "a frame of %d bytes (at most 2^40)",
        length);
    frameEnd = in.position() + length;
  }

  /** Marks a list from the memo as stored, because it can also be in a dictionary. */
  private static @Nullable Object fetched(@Nullable Object value) {
    if (value instanceof PythonValue.PyList list) {
      list.stored();
    }
    return value;
  }

  private void container(int opcode) throws IOException {
    switch (opcode) {
      case Opcode.EMPTY_LIST -> stack.push(containers.list());
      case Opcode.LIST -> stack.push(containers.list(stack.popToMark()));
      case Opcode.APPEND -> containers.extend(Arrays.asList(stack.pop()), stack.peek());
      case Opcode.APPENDS -> containers.extend(Arrays.asList(stack.popToMark()), stack.peek());
      case Opcode.EMPTY_TUPLE -> stack.push(containers.tuple());
      case Opcode.TUPLE -> stack.push(containers.tuple(stack.popToMark()));
      case Opcode.TUPLE1 -> stack.push(containers.tuple(stack.pop()));
      case Opcode.TUPLE2, Opcode.TUPLE3 -> stack.push(containers.tuple(popLast(opcode)));
      case Opcode.EMPTY_DICT -> stack.push(containers.dict(PythonValue.Dict.Kind.DICT));
      case Opcode.DICT -> {
        Object[] items = stack.popToMark();
        stack.push(containers.dict(PythonValue.Dict.Kind.DICT));
        containers.putAll(items, stack.peek());
      }
      case Opcode.SETITEM -> containers.putAll(popLast(Opcode.TUPLE2), stack.peek());
      case Opcode.SETITEMS -> containers.putAll(stack.popToMark(), stack.peek());
      case Opcode.EMPTY_SET -> stack.push(containers.set(false, List.of()));
      case Opcode.FROZENSET -> stack.push(containers.set(true, Arrays.asList(stack.popToMark())));
      case Opcode.ADDITEMS -> containers.addAll(Arrays.asList(stack.popToMark()), stack.peek());
      default -> object(opcode);
    }
  }

  /** Pops the two or three items of TUPLE2 and TUPLE3. */
  private Object[] popLast(int opcode) throws FormatException {
    Object[] items = new Object[opcode - Opcode.TUPLE1 + 1];
    for (int i = items.length - 1; i >= 0; i--) {
      items[i] = stack.pop();
    }
    return items;
  }

  private void object(int opcode) throws IOException {
    switch (opcode) {
      case Opcode.GLOBAL -> stack.push(global());
      case Opcode.STACK_GLOBAL -> stackGlobal();
      case Opcode.REDUCE -> {
        Object args = stack.pop();
        stack.push(call(stack.pop(), args));
      }
      case Opcode.INST -> {
        Object type = global();
        stack.push(call(type, containers.tuple(stack.popToMark())));
      }
      case Opcode.OBJ -> callWithMark();
      case Opcode.NEWOBJ -> {
        Object args = stack.pop();
        stack.push(make(stack.pop(), args));
      }
      case Opcode.NEWOBJ_EX -> makeWithNames();
      case Opcode.BUILD -> build();
      case Opcode.EXT1, Opcode.EXT2, Opcode.EXT4 -> throw unsafe("an extension code");
      case Opcode.PERSID, Opcode.BINPERSID -> stack.push(persistent(opcode));
      case Opcode.NEXT_BUFFER, Opcode.READONLY_BUFFER -> throw unsafe("an out-of-band buffer");
      default -> stack.push(literals.read(opcode));
    }
  }

  private @Nullable Object persistent(int opcode) throws IOException {
    if (loader == null) {
      throw unsafe("a persistent id");
    }
    Object id = opcode == Opcode.PERSID ? asciiLine() : stack.pop();
    budget.take(MemoryBudget.ARRAY);
    return loader.load(containers.kept(id));
  }

  private String asciiLine() throws IOException {
    String line = NumberOpcodes.readLine(in, MAX_NAME);
    in.check(
        line.chars().allMatch(c -> c < ASCII_END),
        PickleError.BAD_OPCODE_ARG,
        "a persistent id that is not ASCII");
    return line;
  }

  private FormatException unsafe(String what) {
    return in.fail(PickleError.UNSAFE_GLOBAL, "%s is not supported", what);
  }

  private Object global() throws IOException {
    String module = NumberOpcodes.readLine(in, MAX_NAME);
    return global(module, NumberOpcodes.readLine(in, MAX_NAME));
  }

  private Object global(String module, String name) throws FormatException {
    Object further = loader == null ? null : loader.find(module, name);
    Object known = further == null ? KnownGlobal.find(protocol, module, name) : further;
    if (known != null) {
      return known;
    }
    budget.take(MemoryBudget.ARRAY + 2 * MemoryBudget.TEXT + module.length() + name.length());
    OpaqueObject other = new OpaqueObject(module, name, in.where());
    hasOther = true;
    if (loader == null || !loader.keepsOthers()) {
      throw other.refusal(in.path());
    }
    return other;
  }

  private void stackGlobal() throws FormatException {
    Object name = stack.pop();
    Object module = stack.pop();
    in.check(
        !(name instanceof PythonValue.Text || module instanceof PythonValue.Text),
        PickleError.UNSAFE_GLOBAL,
        "a name of more than %d bytes",
        LiteralOpcodes.SHORT_TEXT);
    if (!(name instanceof String text) || !(module instanceof String from)) {
      throw in.fail("a name that is not a string");
    }
    stack.push(global(from, text));
  }

  private void callWithMark() throws IOException {
    Object[] items = stack.popToMark();
    in.check(items.length > 0, "nothing to call");
    Object[] args = Arrays.copyOfRange(items, 1, items.length);
    stack.push(call(items[0], containers.tuple(args)));
  }

  private Object call(@Nullable Object function, @Nullable Object args) throws IOException {
    if (function instanceof OpaqueObject other) {
      return call(other);
    }
    if (function instanceof PickleFunction further && args instanceof PythonValue.Tuple tuple) {
      return call(further, tuple.items());
    }
    if (!(function instanceof KnownGlobal global) || !(args instanceof PythonValue.Tuple tuple)) {
      throw in.fail(
          "a call of a value of type %s with arguments of type %s",
          ByteNames.kind(function), ByteNames.kind(args));
    }
    return call(global, tuple.items());
  }

  private OpaqueObject call(OpaqueObject other) throws FormatException {
    budget.take(MemoryBudget.ARRAY);
    return other.call();
  }

  private Object call(PickleFunction function, List<Object> items) throws IOException {
    long parts = 0;
    for (Object item : items) {
      parts += item instanceof PythonValue.Tuple tuple ? tuple.items().size() : 1;
    }
    budget.take(MemoryBudget.ARRAY + parts * (MemoryBudget.SLOT + MemoryBudget.NUMBER));
    return function.call(in.path(), items);
  }

  private Object call(KnownGlobal global, List<Object> items) throws IOException {
    return switch (global) {
      case RECONSTRUCT -> numpy.reconstruct(items);
      case SCALAR -> numpy.scalar(items);
      case FROMBUFFER -> numpy.frombuffer(items);
      case DTYPE -> numpy.dtype(items);
      case ENCODE -> numpy.encode(items);
      case NDARRAY, BFLOAT16 -> throw unsafe("a call of " + global);
      default -> containers.call(global, items);
    };
  }

  /** Evaluates {@code cls.__new__(cls, *args)}, which is supported only for empty containers. */
  private Object make(@Nullable Object type, @Nullable Object args) throws IOException {
    if (type instanceof OpaqueObject other) {
      return call(other);
    }
    in.check(
        !(type instanceof PickleFunction)
            && (!(type instanceof KnownGlobal global) || global.isContainer()),
        PickleError.UNSAFE_GLOBAL,
        "%s cannot be created this way",
        type);
    in.check(
        args instanceof PythonValue.Tuple tuple && tuple.items().isEmpty(),
        "a new object with arguments");
    return call(type, args);
  }

  private void makeWithNames() throws IOException {
    Object names = stack.pop();
    Object args = stack.pop();
    Object type = stack.pop();
    in.check(
        type instanceof OpaqueObject || names instanceof PythonValue.Dict dict && dict.size() == 0,
        "a new object with named arguments");
    stack.push(make(type, args));
  }

  private void build() throws IOException {
    Object state = stack.pop();
    Object target = stack.peek();
    if (target instanceof OpaqueObject) {
      return;
    }
    if (target instanceof PythonValue.NumpyArray array) {
      numpy.build(array, state);
    } else if (target instanceof NumpyDtype dtype) {
      dtype.build(in, state);
    } else if (target instanceof PythonValue.Dict dict
        && dict.kind() == PythonValue.Dict.Kind.ORDERED_DICT) {
      // attributes of the object, such as _metadata of a state_dict, which no reader needs
      in.check(state instanceof PythonValue.Dict, "attributes of type %s", ByteNames.kind(state));
    } else {
      throw in.fail("a state for an object of type %s", ByteNames.kind(target));
    }
  }
}
