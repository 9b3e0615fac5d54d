package org.saevhadoop.format.torch.file;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.read.PersistentLoader;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.zip.ArchiveEntry;

/**
 * The objects to which the pickle in an archive may refer: torch globals, and storages in other
 * entries.
 */
final class TorchGlobals implements PersistentLoader {
  /** Tensor classes and quantization schemes, which occur only as arguments. */
  private static final Set<String> ARGUMENTS =
      Set.of(
          "torch.Tensor",
          "torch.nn.parameter.Parameter",
          "torch.nn.parameter.Buffer",
          "torch.per_tensor_affine",
          "torch.per_channel_affine");

  private static final int MAX_SHOWN = 100;

  private static final Object ARGUMENT = new Object();

  private final String path;
  private final String prefix;
  private final Map<String, ArchiveEntry> entries;
  private final Map<String, TorchStorage> storages = new HashMap<>();

  /**
   * Creates the globals of an archive.
   *
   * @param path the path of the archive
   * @param prefix the folder that contains the entries, with a trailing slash
   */
  TorchGlobals(String path, String prefix, Map<String, ArchiveEntry> entries) {
    this.path = path;
    this.prefix = prefix;
    this.entries = entries;
  }

  @Override
  public @Nullable Object find(String module, String name) {
    if (name.indexOf('.') >= 0) {
      return null; // a dotted name could reach any attribute
    }
    String global = module + "." + name;
    TorchFunction function = TorchFunction.find(global);
    Object type = function == null ? TorchType.find(global) : function;
    return type == null && ARGUMENTS.contains(global) ? ARGUMENT : type;
  }

  /**
   * Returns true: a file with tensors is read even if it contains other objects, such as the
   * arguments of a script.
   */
  @Override
  public boolean keepsOthers() {
    return true;
  }

  /** Evaluates {@code persistent_load(('storage', class, key, location, numel))}. */
  @Override
  public TorchStorage load(@Nullable Object id) throws FormatException {
    List<Object> parts = id instanceof PythonValue.Tuple tuple ? tuple.items() : List.of();
    if (parts.size() == 5
        && "storage".equals(parts.get(0))
        && parts.get(1) instanceof TorchType.StorageClass type
        && parts.get(2) instanceof String key
        && parts.get(4) instanceof Long count) {
      return storage(type.elements(), key, count);
    }
    throw TorchError.BAD_STORAGE.in(
        path, "a persistent id does not refer to a storage (expected class, key, location, size)");
  }

  private TorchStorage storage(TorchType type, String key, long count) throws FormatException {
    String name = prefix + "data/" + key;
    String shown = Quote.show(name, MAX_SHOWN);
    ArchiveEntry entry = entries.get(name);
    if (entry == null) {
      throw TorchError.BAD_STORAGE.in(path, "contains no entry \"%s\" for a storage", shown);
    }
    checkStored(path, entry);
    TorchError.BAD_STORAGE.check(
        count >= 0 && count <= entry.size() / type.width(),
        path,
        "storage \"%s\" has %d elements of %s (expected no more than fit in its %d bytes)",
        shown,
        count,
        type.name(),
        entry.size());
    TorchStorage storage = new TorchStorage(entry, type, count * type.width());
    TorchStorage known = storages.putIfAbsent(key, storage);
    // torch does not compare the types of storages without elements
    TorchError.BAD_STORAGE.check(
        known == null || known.equals(storage) || known.length() + storage.length() == 0,
        path,
        "storage \"%s\" is declared with two types or sizes",
        shown);
    return storage.equals(known) ? known : storage;
  }

  /** Checks that an entry can be read in place; torch.save never compresses entries. */
  static void checkStored(String path, ArchiveEntry entry) throws FormatException {
    TorchError.COMPRESSED.check(
        entry.stored(),
        path,
        "entry \"%s\" is compressed, which prevents reading it in place (expected an archive as"
            + " torch.save writes it)",
        Quote.show(entry.name(), MAX_SHOWN));
  }
}
