package org.saevhadoop.format.safetensors.index;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.safetensors.dataset.SafetensorsTable;
import org.saevhadoop.format.safetensors.header.HeaderStrictness;
import org.saevhadoop.format.safetensors.header.JsonText;
import org.saevhadoop.format.safetensors.header.SafetensorsHeader;
import org.saevhadoop.format.safetensors.header.TensorInfo;

/**
 * Comparison of a {@link ModelIndex} with the files that it names. Headers are read one at a time.
 *
 * @param problems the differences, one line each
 * @param warnings deviations that other programs accept
 */
public record ModelCheck(List<FormatException> problems, List<String> warnings) {
  /**
   * The number of tensors in a file that have the same problem, and the name of the first of these
   * tensors.
   */
  private static final class Tally {
    private long count;
    private String example = "";

    void add(String name) {
      example = count++ == 0 ? name : example;
    }

    /** Returns text such as {@code tensor `a`} or {@code 4 tensors, the first being `a`,}. */
    String show() {
      String shown = JsonText.show(example);
      return count == 1
          ? "tensor " + shown
          : Quote.sentence("%d tensors, the first being %s,", count, shown);
    }
  }

  /** Checks all files of the index and reports any other safetensors files in the folder. */
  public static ModelCheck of(ModelIndex index, Folder folder, HeaderStrictness strictness)
      throws IOException {
    ModelCheck check = new ModelCheck(new ArrayList<>(), new ArrayList<>());
    SortedMap<String, Long> present = folder.files();
    SortedMap<String, List<String>> names = new TreeMap<>();
    index
        .weightMap()
        .forEach((name, file) -> names.computeIfAbsent(file, f -> new ArrayList<>()).add(name));
    long bytes = 0;
    for (Map.Entry<String, List<String>> entry : names.entrySet()) {
      String file = entry.getKey();
      if (present.containsKey(file)) {
        bytes += check.file(index, folder, file, entry.getValue(), strictness);
      } else {
        int count = entry.getValue().size();
        check.add(folder.path(file), "is missing (expected a file with %d tensors)", count);
      }
    }
    String found = Long.toUnsignedString(bytes);
    if (check.problems.isEmpty() && !index.totalSize().orElse(found).equals(found)) {
      check.warnings.add(
          "total_size is %s, but the tensors have %s bytes"
              .formatted(index.totalSize().get(), found));
    }
    List<String> unnamed =
        present.keySet().stream()
            .filter(f -> f.endsWith(SafetensorsTable.SUFFIX) && !names.containsKey(f))
            .toList();
    if (!unnamed.isEmpty()) {
      check.warnings.add("files that the index does not name are not read: " + unnamed);
    }
    return check;
  }

  /** Checks one file and returns the total size in bytes of the tensors in it. */
  private long file(
      ModelIndex index, Folder folder, String file, List<String> names, HeaderStrictness strictness)
      throws IOException {
    SafetensorsHeader header;
    try (Input in = folder.open(file)) {
      header = SafetensorsHeader.read(in, strictness);
    } catch (FormatException e) {
      problems.add(e);
      return 0;
    }
    Tally missing = new Tally();
    names.stream().filter(name -> header.tensor(name).isEmpty()).sorted().forEach(missing::add);
    Tally unnamed = new Tally();
    Tally elsewhere = new Tally();
    long bytes = 0;
    for (TensorInfo tensor : header.tensors()) {
      String declared = index.weightMap().get(tensor.name());
      if (declared == null) {
        unnamed.add(tensor.name());
      } else if (!declared.equals(file)) {
        elsewhere.add(tensor.name());
      }
      bytes += tensor.byteLength();
    }
    String path = folder.path(file);
    if (missing.count > 0) {
      add(path, "lacks %s, which %s places there", missing.show(), index.path());
    }
    if (unnamed.count > 0) {
      add(path, "contains %s, which %s does not list", unnamed.show(), index.path());
    }
    if (elsewhere.count > 0) {
      add(path, "contains %s, which %s places in another file", elsewhere.show(), index.path());
    }
    return bytes;
  }

  @FormatMethod
  private void add(String path, @FormatString String problem, Object... args) {
    problems.add(TensorIndexError.MODEL_MISMATCH.in(path, problem, args));
  }
}
