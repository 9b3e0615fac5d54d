package org.saevhadoop.converters.console;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The components of a record as the fields of a result, in their order: {@code bytesRead} becomes
 * {@code bytes_read}. Jackson's {@code @JsonUnwrapped} and {@code @JsonIgnore} have their usual
 * meaning. A component that is null or not finite is left out unless {@code @JsonInclude} includes
 * it.
 *
 * <p>Jackson's mapper is not used: loading the classes that it needs takes 0.2 s of CPU time.
 */
public final class RecordFields {
  private static final Pattern CAPITAL = Pattern.compile("(?=\\p{Upper})");

  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          List<Field> fields = new ArrayList<>();
          for (RecordComponent component : type.getRecordComponents()) {
            Method accessor = component.getAccessor();
            if (!accessor.isAnnotationPresent(JsonIgnore.class)) {
              accessor.setAccessible(true); // the record may be private
              fields.add(Field.of(component.getName(), accessor));
            }
          }
          return List.copyOf(fields);
        }
      };

  private RecordFields() {}

  /**
   * A component of a record.
   *
   * @param name the name of its field
   * @param isShared whether its own fields become fields of the enclosing record
   * @param isAlwaysShown whether a component without a value is included as a null field
   */
  private record Field(String name, Method accessor, boolean isShared, boolean isAlwaysShown) {
    static Field of(String component, Method accessor) {
      return new Field(
          CAPITAL.matcher(component).replaceAll("_").toLowerCase(Locale.ROOT),
          accessor,
          accessor.isAnnotationPresent(JsonUnwrapped.class),
          accessor.isAnnotationPresent(JsonInclude.class));
    }

    @Nullable Object value(Record record) {
      try {
        return accessor.invoke(record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e); // accessors of results only return
      }
    }
  }

  /** Returns the fields of a record. */
  public static Map<String, @Nullable Object> of(Record record) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    add(record, fields);
    return fields;
  }

  private static void add(Record record, Map<String, @Nullable Object> fields) {
    for (Field field : FIELDS.get(record.getClass())) {
      Object value = field.value(record);
      if (field.isShared && value instanceof Record shared) {
        add(shared, fields);
      } else if (field.isShared && value instanceof Map<?, ?> shared) {
        shared.forEach((name, item) -> fields.put(String.valueOf(name), item));
      } else if (field.isAlwaysShown || value != null && !isNotFinite(value)) {
        fields.put(field.name, value);
      }
    }
  }

  static boolean isNotFinite(@Nullable Object value) {
    return value instanceof Double figure && !Double.isFinite(figure);
  }
}
