package org.saevhadoop.format.pickle;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.saevhadoop.format.io.FormatException;

/** Does what the opcodes of one pickle say. */
final class Machine {
  private static final int HIGHEST_PROTOCOL = 5;
  private static final int MOST_NAME = 1024;

  private final PickleInput in;
  private final Budget budget;
  private final PickleStack stack;
  private final Memo memo;
  private final Numbers numbers;
  private final Literals literals;
  private final Containers containers;
  private final Numpy numpy;
  private int protocol;
  private long frameEnd;

  Machine(PickleInput in, Payloads payloads, Limits limits) {
    this.in = in;
    this.budget = new Budget(in, limits);
    this.stack = new PickleStack(in, limits.stack());
    this.memo = new Memo(in, budget);
    this.numbers = new Numbers(in, limits);
    this.literals = new Literals(in, payloads, limits, budget);
    this.containers = new Containers(in, budget);
    this.numpy = new Numpy(in, payloads, limits, budget);
  }

  /** Reads over STOP; returns the object. */
  Object run() throws IOException {
    while (true) {
      int opcode = in.nextOpcode();
      budget.work(1);
      if (opcode == Opcode.STOP) {
        in.check(!stack.hasMark(), PickleError.BAD_PICKLE, "a mark is open");
        return stack.pop();
      }
      step(opcode);
    }
  }

  /** Where the last frame ends, if it is to be believed. */
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
      case Opcode.BINGET -> stack.push(memo.get(in.readByte()));
      case Opcode.LONG_BINGET -> stack.push(memo.get(in.readNumber(Integer.BYTES)));
      case Opcode.GET -> stack.push(memo.get(numbers.readIndex()));
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
        PickleError.BAD_PICKLE,
        "unsupported protocol %d (at most %d)",
        protocol,
        HIGHEST_PROTOCOL);
  }

  private void readFrame() throws IOException {
    long length = in.readLength();
    long end = in.position() + length;
    frameEnd = Math.max(frameEnd, end < 0 ? Long.MAX_VALUE : end);
  }

  private void container(int opcode) throws IOException {
    switch (opcode) {
      case Opcode.EMPTY_LIST -> stack.push(containers.list());
      case Opcode.LIST -> stack.push(containers.list(stack.popToMark()));
      case Opcode.APPEND -> {
        List<Object> item = Arrays.asList(stack.pop());
        containers.extend(stack.peek(), item);
      }
      case Opcode.APPENDS -> {
        List<Object> items = Arrays.asList(stack.popToMark());
        containers.extend(stack.peek(), items);
      }
      case Opcode.EMPTY_TUPLE -> stack.push(containers.tuple());
      case Opcode.TUPLE -> stack.push(containers.tuple(stack.popToMark()));
      case Opcode.TUPLE1 -> stack.push(containers.tuple(stack.pop()));
      case Opcode.TUPLE2, Opcode.TUPLE3 -> stack.push(containers.tuple(popLast(opcode)));
      case Opcode.EMPTY_DICT -> stack.push(containers.dict(Py.Dict.Kind.DICT));
      case Opcode.DICT -> {
        Object[] items = stack.popToMark();
        stack.push(containers.dict(Py.Dict.Kind.DICT));
        containers.putAll(stack.peek(), items);
      }
      case Opcode.SETITEM -> {
        Object[] item = popLast(Opcode.TUPLE2);
        containers.putAll(stack.peek(), item);
      }
      case Opcode.SETITEMS -> {
        Object[] items = stack.popToMark();
        containers.putAll(stack.peek(), items);
      }
      case Opcode.EMPTY_SET -> stack.push(containers.set(false, List.of()));
      case Opcode.FROZENSET -> stack.push(containers.set(true, Arrays.asList(stack.popToMark())));
      case Opcode.ADDITEMS -> {
        List<Object> items = Arrays.asList(stack.popToMark());
        containers.addAll(stack.peek(), items);
      }
      default -> object(opcode);
    }
  }

  /** Two or three items, as TUPLE2 and TUPLE3 want. */
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
        Global type = global();
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
      case Opcode.PERSID, Opcode.BINPERSID -> throw unsafe("a persistent id");
      case Opcode.NEXT_BUFFER, Opcode.READONLY_BUFFER -> throw unsafe("an out-of-band buffer");
      default -> stack.push(literals.read(opcode));
    }
  }

  private FormatException unsafe(String what) {
    return in.fail(PickleError.UNSAFE_GLOBAL, "%s is not followed", what);
  }

  private Global global() throws IOException {
    String module = Numbers.readLine(in, MOST_NAME);
    return Global.find(in, protocol, module, Numbers.readLine(in, MOST_NAME));
  }

  private void stackGlobal() throws FormatException {
    Object name = stack.pop();
    Object module = stack.pop();
    in.check(
        !(name instanceof Py.Text || module instanceof Py.Text),
        PickleError.UNSAFE_GLOBAL,
        "a name of more than %d bytes",
        Literals.SHORT_TEXT);
    in.check(
        name instanceof String && module instanceof String,
        PickleError.BAD_PICKLE,
        "a name that is no text");
    stack.push(Global.find(in, protocol, (String) module, (String) name));
  }

  private void callWithMark() throws IOException {
    Object[] items = stack.popToMark();
    in.check(items.length > 0, PickleError.BAD_PICKLE, "nothing to call");
    Object[] args = Arrays.copyOfRange(items, 1, items.length);
    stack.push(call(items[0], containers.tuple(args)));
  }

  private Object call(Object function, Object args) throws IOException {
    in.check(
        function instanceof Global && args instanceof Py.Tuple,
        PickleError.BAD_PICKLE,
        "a call of a %s with a %s",
        Names.kind(function),
        Names.kind(args));
    List<Object> items = ((Py.Tuple) args).items();
    Global global = (Global) function;
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

  /** {@code cls.__new__(cls, *args)}: of containers alone, which are then empty. */
  private Object make(Object type, Object args) throws IOException {
    in.check(
        !(type instanceof Global global) || global.isContainer(),
        PickleError.UNSAFE_GLOBAL,
        "%s is not made so",
        type);
    in.check(
        args instanceof Py.Tuple tuple && tuple.items().isEmpty(),
        PickleError.BAD_PICKLE,
        "a new object with arguments");
    return call(type, args);
  }

  private void makeWithNames() throws IOException {
    Object names = stack.pop();
    Object args = stack.pop();
    in.check(
        names instanceof Py.Dict dict && dict.size() == 0,
        PickleError.BAD_PICKLE,
        "a new object with named arguments");
    stack.push(make(stack.pop(), args));
  }

  private void build() throws IOException {
    Object state = stack.pop();
    Object target = stack.peek();
    if (target instanceof Py.NumpyArray array) {
      numpy.build(array, state);
    } else if (target instanceof Dtype dtype) {
      dtype.build(in, state);
    } else {
      throw in.fail(PickleError.BAD_PICKLE, "a state for a %s", Names.kind(target));
    }
  }
}
