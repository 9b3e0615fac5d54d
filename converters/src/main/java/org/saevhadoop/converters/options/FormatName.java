package org.saevhadoop.converters.options;

import java.util.Iterator;
import java.util.List;
import org.saevhadoop.mapreduce.DatasetFormats;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the names of formats on the command line, and lists them for completion and help. */
public class FormatName implements ITypeConverter<DatasetFormats.Entry>, Iterable<String> {
  /** Converts the names of formats that can be written. */
  public static final class Writable extends FormatName {
    @Override
    List<DatasetFormats.Entry> formats() {
      return DatasetFormats.registry().writable();
    }
  }

  List<DatasetFormats.Entry> formats() {
    return DatasetFormats.registry().all();
  }

  private List<String> names() {
    return formats().stream().map(DatasetFormats.Entry::name).toList();
  }

  @Override
  public DatasetFormats.Entry convert(String name) {
    return DatasetFormats.registry()
        .named(name)
        .filter(formats()::contains)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "unknown format \"%s\" (expected one of %s)".formatted(name, names())));
  }

  @Override
  public Iterator<String> iterator() {
    return names().iterator();
  }
}
