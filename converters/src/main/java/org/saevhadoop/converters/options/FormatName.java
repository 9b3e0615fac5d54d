package org.saevhadoop.converters.options;

import java.util.Iterator;
import java.util.List;
import org.saevhadoop.mapreduce.DatasetFormats;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the names of formats on the command line, and lists them for completion and help. */
public class FormatName implements ITypeConverter<DatasetFormats.Entry>, Iterable<String> {
  private final List<DatasetFormats.Entry> formats;

  /** Creates a converter of the names of all formats. */
  public FormatName() {
    this(DatasetFormats.registry().all());
  }

  private FormatName(List<DatasetFormats.Entry> formats) {
    this.formats = formats;
  }

  /** Converts the names of formats that can be written. */
  public static final class Writable extends FormatName {
    /** Creates a converter. */
    public Writable() {
      super(DatasetFormats.registry().writable());
    }
  }

  @Override
  public DatasetFormats.Entry convert(String name) {
    return formats.stream()
        .filter(format -> format.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "unknown format \"%s\" (expected one of %s)".formatted(name, names())));
  }

  private List<String> names() {
    return formats.stream().map(DatasetFormats.Entry::name).toList();
  }

  @Override
  public Iterator<String> iterator() {
    return names().iterator();
  }
}
