package org.saevhadoop.converters.options;

import java.util.Iterator;
import org.saevhadoop.mapreduce.DatasetFormats;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the names of formats on the command line, and lists them for completion and help. */
public final class FormatName implements ITypeConverter<DatasetFormats.Entry>, Iterable<String> {
  @Override
  public DatasetFormats.Entry convert(String name) {
    return DatasetFormats.registry()
        .named(name)
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "unknown format \"%s\" (expected one of %s)"
                        .formatted(name, DatasetFormats.registry().names())));
  }

  @Override
  public Iterator<String> iterator() {
    return DatasetFormats.registry().names().iterator();
  }
}
