package org.saevhadoop.format.kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Location;

/** The files in a folder and up to two levels below, grouped by kind according to their names. */
public final class FolderContents {
  /**
   * Files of a kind.
   *
   * @param kind the kind, with the names of the files, such as {@code torch files (*.pt)}
   */
  public record Kind(String kind, long files, long bytes) {}

  /** A pattern of file names, and the description of such files. */
  private record Known(Pattern name, String what) {
    Known(String name, String what) {
      this(Pattern.compile(name), what);
    }
  }

  private static final List<Known> KNOWN =
      List.of(
          new Known("\\..*", "hidden files (.*)"),
          new Known(".*\\.tmp.*", "unfinished files (*.tmp*)"),
          new Known(".*\\.lock", "locks of writers (*.lock)"),
          new Known(".*\\.meta\\.json", "lists of sample metadata (*.meta.json)"),
          new Known(".*\\.meta", "descriptions of memory maps (*.meta)"),
          new Known(".*\\.memmap", "memory maps (*.memmap)"),
          new Known(".*\\.(pkl|pickle)(\\.gz)?", "pickles (*.pkl)"),
          new Known(".*\\.safetensors", "safetensors files (*.safetensors)"),
          new Known("(tokens|mean|std)\\.pt", "tokens and statistics (tokens.pt, mean.pt, std.pt)"),
          new Known("statistics\\.json", "statistics (statistics.json)"),
          new Known(".*\\.json", "JSON documents (*.json)"));

  private static final String HIDDEN_FOLDERS = "hidden folders (.*)";
  private static final int LEVELS = 2;
  private static final int MAX_FOLDERS = 2000;

  private final Map<String, Kind> kinds = new LinkedHashMap<>();
  private int folders;

  private FolderContents() {}

  /** Returns the kinds in descending order of their total size. */
  public static List<Kind> of(Location location) throws IOException {
    FolderContents contents = new FolderContents();
    if (location.isFile()) {
      location.files().forEach(contents::add);
    } else {
      contents.add(location.folder(), LEVELS);
    }
    List<Kind> sorted = new ArrayList<>(contents.kinds.values());
    sorted.sort(Comparator.comparingLong(Kind::bytes).reversed().thenComparing(Kind::kind));
    return sorted;
  }

  private void add(Folder folder, int levels) throws IOException {
    if (folders++ == MAX_FOLDERS) {
      return;
    }
    Folder.Listing listing = folder.list();
    listing.files().forEach(this::add);
    for (String name : listing.folders()) {
      Optional<Folder> below =
          levels > 0 && !name.startsWith(".") ? folder.folder(name) : Optional.empty();
      if (below.isPresent()) {
        add(below.get(), levels - 1);
      } else if (name.startsWith(".")) {
        add(HIDDEN_FOLDERS, new Kind(HIDDEN_FOLDERS, 1, 0));
      }
    }
  }

  private void add(String name, long bytes) {
    String what = what(name);
    add(what, new Kind(what, 1, bytes));
  }

  private void add(String what, Kind kind) {
    kinds.merge(what, kind, (a, b) -> new Kind(a.kind, a.files + b.files, a.bytes + b.bytes));
  }

  private static String what(String name) {
    Optional<Known> known =
        KNOWN.stream().filter(each -> each.name.matcher(name).matches()).findFirst();
    if (known.isPresent()) {
      return known.get().what;
    }
    Optional<FileKind> kind = FileKind.named(name);
    return kind.isPresent()
        ? "%s (*.%s)".formatted(kind.get().plural(), kind.get().ending(name).orElse(""))
        : "other files";
  }
}
