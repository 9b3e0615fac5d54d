package org.saevhadoop.format.arrays.pickled;

import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.read.OpaqueObject;
import org.saevhadoop.format.pickle.value.PickleError;

/** Objects of other programs whose numbers are not read, each with a description and advice. */
enum OtherObjects {
  SPARSE_TENSOR("torch._utils._rebuild_sparse", "a sparse torch tensor", "x.to_dense()"),
  TENSOR(
      "torch._utils._rebuild_tensor",
      "a torch tensor within a pickle",
      "torch.save of the unpickled object, or x.numpy()"),
  STORAGE(
      "torch.storage.", "a torch storage within a pickle", "torch.save of the unpickled object"),
  SPARSE_MATRIX("scipy.sparse", "a sparse scipy matrix", "x.toarray()"),
  TABLE("pandas.", "a pandas table", "x.to_numpy()"),
  JAX("jax", "a jax array", "numpy.asarray(x)"),
  MASKED("numpy.ma.", "a masked numpy array", "x.filled()"),
  JOBLIB("joblib.", "an array from joblib.dump", "pickle.dump(joblib.load(file), f)");

  private static final int MAX_SHOWN = 100;

  private final String prefix;
  private final String what;
  private final String instead;

  OtherObjects(String prefix, String what, String instead) {
    this.prefix = prefix;
    this.what = what;
    this.instead = instead;
  }

  private static @Nullable OtherObjects of(OpaqueObject object) {
    for (OtherObjects each : values()) {
      if (object.type().startsWith(each.prefix) && !object.type().contains("__")) {
        return each;
      }
    }
    return null;
  }

  /** Returns a description of an object, for warnings. */
  static String name(OpaqueObject object) {
    OtherObjects known = of(object);
    String type = Quote.show(object.type(), MAX_SHOWN);
    return known == null
        ? "an object of " + type
        : "%s (%s; %s is read)".formatted(known.what, type, known.instead);
  }

  /** Returns the error for a file that contains only such an object. */
  static FormatException refusal(String path, OpaqueObject object) {
    OtherObjects known = of(object);
    return known == null
        ? object.refusal(path)
        : PickleError.UNSAFE_GLOBAL.in(
            path,
            "contains %s, %s, which is not read (expected a dense array: %s)",
            known.what,
            Quote.show(object.type(), MAX_SHOWN),
            known.instead);
  }
}
