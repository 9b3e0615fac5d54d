package org.saevhadoop.format.torch.file;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.read.OpaqueObject;
import org.saevhadoop.format.pickle.read.PickleFunction;
import org.saevhadoop.format.pickle.value.PythonValue;

/** The torch functions and classes that a pickle may call. Hooks and attributes are ignored. */
enum TorchFunction implements PickleFunction {
  /**
   * {@code (storage, storage_offset, size, stride, requires_grad, backward_hooks, metadata)}. The
   * metadata, present since torch 2.0, consists of bits that state how the values differ from the
   * stored ones.
   */
  TENSOR_V2("torch._utils._rebuild_tensor_v2", 6, 7),
  /**
   * Like {@link #TENSOR_V2}, but with the type before the metadata; used since torch 2.1 for types
   * without a storage class.
   */
  TENSOR_V3("torch._utils._rebuild_tensor_v3", 7, 8),
  /**
   * {@code (storage, storage_offset, size, stride, quantizer_params, requires_grad,
   * backward_hooks)}.
   */
  QUANTIZED("torch._utils._rebuild_qtensor", 7, 7),
  /** {@code (data, requires_grad, backward_hooks)}. */
  PARAMETER("torch._utils._rebuild_parameter", 3, 3),
  /** Like {@link #PARAMETER}, but with the attributes of the object; used since torch 2.0. */
  PARAMETER_WITH_STATE("torch._utils._rebuild_parameter_with_state", 4, 4),
  /**
   * {@code (function, class, args, state)}: a tensor of a subclass, or a tensor with attributes.
   */
  FROM_TYPE("torch._tensor._rebuild_from_type_v2", 4, 4),
  /** A tuple of sizes. */
  SIZE("torch.Size", 1, 1),
  /** {@code (type)} or {@code (type, index)}. */
  DEVICE("torch.device", 1, 2);

  private static final Map<String, TorchFunction> BY_GLOBAL =
      Stream.of(values()).collect(Collectors.toMap(TorchFunction::toString, Function.identity()));

  private final String global;
  private final int minArgs;
  private final int maxArgs;

  TorchFunction(String global, int minArgs, int maxArgs) {
    this.global = global;
    this.minArgs = minArgs;
    this.maxArgs = maxArgs;
  }

  /** Returns the function that a global names; null if there is none. */
  static @Nullable TorchFunction find(String global) {
    return BY_GLOBAL.get(global);
  }

  @Override
  public String toString() {
    return global;
  }

  @Override
  public Object call(String path, List<Object> args) throws FormatException {
    checkArgs(args.size() >= minArgs && args.size() <= maxArgs, path);
    Object first = args.get(0);
    return switch (this) {
      case TENSOR_V2 -> tensor(path, args, type(first), optional(args, 6));
      case TENSOR_V3 -> tensor(path, args, args.get(6), optional(args, 7));
      case QUANTIZED -> tensor(path, args, type(first), null);
      case PARAMETER, PARAMETER_WITH_STATE -> {
        checkArgs(first instanceof TorchTensor, path);
        yield first;
      }
      case FROM_TYPE ->
          args.get(1) instanceof OpaqueObject other ? other : fromType(path, first, args.get(2));
      case SIZE -> {
        checkArgs(first instanceof PythonValue.Tuple, path);
        yield first;
      }
      case DEVICE -> {
        checkArgs(first instanceof String, path);
        yield first;
      }
    };
  }

  private void checkArgs(boolean valid, String path) throws FormatException {
    if (!valid) {
      throw wrongArgs(path);
    }
  }

  private FormatException wrongArgs(String path) {
    return TorchError.BAD_TENSOR.in(path, "%s is called with unexpected arguments", this);
  }

  private static @Nullable Object optional(List<Object> args, int index) {
    return index < args.size() ? args.get(index) : null;
  }

  private static @Nullable Object type(@Nullable Object storage) {
    return storage instanceof TorchStorage known ? known.type() : null;
  }

  private TorchTensor tensor(
      String path, List<Object> args, @Nullable Object type, @Nullable Object metadata)
      throws FormatException {
    boolean hasBits =
        !(metadata == null || metadata instanceof PythonValue.Dict d && d.size() == 0);
    if (type instanceof TorchType known) {
      String unread = hasBits ? "whose conj or neg bit is set" : null;
      return TorchTensor.of(path, args, known, unread);
    }
    throw wrongArgs(path);
  }

  /**
   * Calls a function as a pickle does, but never {@link #FROM_TYPE} itself, which limits the depth
   * of calls.
   */
  private Object fromType(String path, @Nullable Object function, @Nullable Object args)
      throws FormatException {
    if (function instanceof TorchFunction known
        && known != FROM_TYPE
        && args instanceof PythonValue.Tuple tuple) {
      return known.call(path, tuple.items());
    }
    throw TorchError.BAD_TENSOR.in(path, "%s calls a function that does not create a tensor", this);
  }
}
